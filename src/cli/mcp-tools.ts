/** The tools of `vramscope mcp`: each is a command, and each of its fields a word of that command. Words for assistants are English. */

/** One field of a tool: how it is called in JSON, and what it becomes on the command line. */
export interface ToolField {
  readonly type: "string" | "integer" | "boolean" | "words";
  readonly description: string;
  /** `--gpu`; absent: the value stands by itself, in the order of the fields. */
  readonly option?: string;
  /** Its words come after `--`. */
  readonly afterDashes?: true;
  readonly required?: true;
  readonly choices?: readonly string[];
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** First words of the command line. */
  readonly command: readonly string[];
  readonly fields: Readonly<Record<string, ToolField>>;
}

const GPU: ToolField = {
  type: "string",
  option: "--gpu",
  description: "GPU by id or name, e.g. a100-80gb, rtx-4090, t4",
};
const TORCH: ToolField = {
  type: "string",
  option: "--torch",
  description: "PyTorch release whose rules apply, e.g. 2.6",
};
const ARGUMENTS: ToolField = { type: "words", afterDashes: true, description: "arguments for the program" };
const FAILS = "Exit status 1: it does not fit.";

export const TOOLS: readonly Tool[] = [
  {
    name: "run",
    title: "Run a PyTorch script on a simulated GPU",
    description: `Says where the GPU memory of a PyTorch program goes, line by line: peak, what it consists of, findings. No GPU and no PyTorch are needed, nothing is edited. ${FAILS}`,
    command: ["run"],
    fields: {
      script: { type: "string", required: true, description: "path of the Python file" },
      arguments: ARGUMENTS,
      gpu: GPU,
      torch: TORCH,
      limit: { type: "string", option: "--limit", description: "fail when more is reserved at the peak, e.g. 20GiB" },
      report: {
        type: "string",
        option: "--report",
        choices: ["summary", "lines", "saved"],
        description: "how much is told; lines by default",
      },
      why: { type: "boolean", option: "--why", description: "also say what holds the largest blocks at the peak" },
      try: {
        type: "string",
        option: "--try",
        description:
          "run again with changes and measure what each saves: all, or names with commas, e.g. checkpoint_blocks,autocast",
      },
      ranks: {
        type: "integer",
        option: "--nproc-per-node",
        description: "processes of a program for several GPUs, as torchrun's",
      },
      output: {
        type: "string",
        option: "--output",
        description: "write the trace to this file, for explain and compare",
      },
    },
  },
  {
    name: "estimate",
    title: "Estimate a model's memory from its configuration",
    description: `Says what inference or training of a model needs and whether it fits a GPU, without a program: published names (llama-3.1-8b), a folder, or a config.json. With engine it is what a serving engine makes of the GPU. ${FAILS}`,
    command: ["estimate"],
    fields: {
      model: { type: "string", required: true, description: "published name, folder with config.json, or a file" },
      task: { type: "string", option: "--task", choices: ["infer", "train"], description: "what is done with it" },
      method: {
        type: "string",
        option: "--method",
        description: "how it is trained: full, lora, dora, qlora, qdora, head",
      },
      gpu: GPU,
      batch: { type: "integer", option: "--batch", description: "sequences at once" },
      seq: { type: "string", option: "--seq", description: "tokens per sequence in training; 4k is 4096" },
      prompt: { type: "string", option: "--prompt", description: "tokens of the prompt, in inference" },
      weights: { type: "string", option: "--weights", description: "type of the weights, e.g. bfloat16, int8, nf4" },
      fit: {
        type: "boolean",
        option: "--fit",
        description: "also say which changes would make it fit, each simulated",
      },
      max: { type: "string", option: "--max", description: "find the largest: batch, seq or context" },
      engine: {
        type: "string",
        option: "--engine",
        description: "vllm, sglang, tensorrt-llm, llama.cpp or ollama: that engine's own rules",
      },
      quant: { type: "string", option: "--quant", description: "weight format of an engine, e.g. fp8, awq, Q4_K_M" },
      tp: { type: "integer", option: "--tp", description: "GPUs that share every layer, of an engine" },
      max_len: { type: "string", option: "--max-len", description: "longest sequence of an engine" },
    },
  },
  {
    name: "plan",
    title: "Search layouts for training on several GPUs",
    description: `Finds the layouts (tensor, pipeline, expert and data parallel, recomputation) of a model on so many GPUs that fit, ranked by what they waste; where none fits, the nearest. ${FAILS}`,
    command: ["plan"],
    fields: {
      model: { type: "string", required: true, description: "published name, folder or config.json" },
      gpus: { type: "integer", required: true, option: "--gpus", description: "how many GPUs" },
      gpu: GPU,
      seq: { type: "string", option: "--seq", description: "tokens per sequence" },
      global_batch: { type: "integer", option: "--global-batch", description: "sequences of a step on all GPUs" },
      top: { type: "integer", option: "--top", description: "how many layouts to show" },
    },
  },
  {
    name: "layout",
    title: "Estimate one layout on several GPUs",
    description: `Says what each GPU needs when a model is trained on several with one layout, or by a launch script. ${FAILS}`,
    command: ["estimate"],
    fields: {
      model: { type: "string", description: "published name, folder or config.json; not needed with from" },
      gpus: { type: "integer", option: "--gpus", description: "how many GPUs" },
      gpu: GPU,
      layout: { type: "string", option: "--layout", description: "sizes by name, e.g. tp=8,pp=2" },
      framework: {
        type: "string",
        option: "--framework",
        description: "whose rules and words: see the error for the names",
      },
      batch: { type: "integer", option: "--batch", description: "sequences of a micro-batch" },
      global_batch: { type: "integer", option: "--global-batch", description: "sequences of a step on all GPUs" },
      seq: { type: "string", option: "--seq", description: "tokens per sequence" },
      recompute: {
        type: "string",
        option: "--recompute",
        choices: ["none", "selective", "full"],
        description: "what is computed again in backward",
      },
      from: { type: "string", option: "--from", description: "read all of it from a launch script or configuration" },
    },
  },
  {
    name: "explain",
    title: "Explain memory at a moment, or a finding",
    description:
      "Says what memory consists of at a moment of a program, who holds it and what is kept for backward; or what the code of a finding means and what helps.",
    command: ["explain"],
    fields: {
      subject: {
        type: "string",
        required: true,
        description: "a Python file, a trace that run wrote (output), or the code of a finding, e.g. float32_logits",
      },
      arguments: ARGUMENTS,
      at: { type: "string", option: "--at", description: "peak, end, line:42, line:model.py:42 or an event's number" },
      by: {
        type: "string",
        option: "--by",
        description: "category, module, line, op, dtype, phase; several with commas",
      },
      top: { type: "integer", option: "--top", description: "how many of the largest blocks" },
      saved: { type: "boolean", option: "--saved", description: "the table of tensors saved for backward" },
      gpu: GPU,
      torch: TORCH,
    },
  },
  {
    name: "open",
    title: "Read what a real GPU recorded",
    description:
      "Reads and explains a recorded file: PyTorch memory snapshot (.pickle), profiler output, nvidia-smi output, the log of a training run or serving engine, an out-of-memory error's text.",
    command: ["open"],
    fields: {
      file: { type: "string", required: true, description: "path of the file" },
      at: {
        type: "string",
        option: "--at",
        description: "moment to explain: peak, end, line:model.py:12, an event's number",
      },
      by: {
        type: "string",
        option: "--by",
        description: "category, module, line, op, dtype, phase; several with commas",
      },
      report: { type: "string", option: "--report", choices: ["summary", "lines"], description: "how much is told" },
      device: { type: "integer", option: "--device", description: "device of the file, by its number" },
    },
  },
  {
    name: "compare",
    title: "Hold a prediction against a recording",
    description:
      "Compares a script, a trace or an estimate with what was recorded on a real GPU, and gives each difference its cause.",
    command: ["compare"],
    fields: {
      predicted: { type: "string", required: true, description: "a Python file, or a file that run or estimate wrote" },
      recorded: { type: "string", required: true, description: "the recorded file" },
      arguments: ARGUMENTS,
      gpu: GPU,
      torch: TORCH,
      tolerance: { type: "string", option: "--tolerance", description: "a difference that is none: 2% or 64MiB" },
    },
  },
];

/** What every tool takes beside its own fields. */
export const FOLDER_FIELD = "folder";
const FOLDER = {
  type: "string",
  description: "folder in which it runs; paths are relative to it. By default the server's.",
};

/** The JSON schema of a tool's arguments. */
export function schemaOf(tool: Tool) {
  const properties: Record<string, object> = {};
  for (const [name, { type, description, choices }] of Object.entries(tool.fields)) {
    properties[name] = {
      ...(type === "words" ? { type: "array", items: { type: "string" } } : { type }),
      description,
      ...(choices === undefined ? {} : { enum: choices }),
    };
  }
  const required = Object.entries(tool.fields).flatMap(([name, field]) => (field.required ? [name] : []));
  return {
    type: "object" as const,
    properties: { ...properties, [FOLDER_FIELD]: FOLDER },
    required,
    additionalProperties: false,
  };
}

/** The command line for these arguments; a text says what is wrong with them. */
export function wordsOf(tool: Tool, toolArguments: Readonly<Record<string, unknown>>): readonly string[] | string {
  const unknown = Object.keys(toolArguments).find((name) => name !== FOLDER_FIELD && !Object.hasOwn(tool.fields, name));
  if (unknown !== undefined) return `${tool.name} has no field '${unknown}': ${Object.keys(tool.fields).join(", ")}`;
  const options: string[] = [];
  const own: string[] = [];
  const after: string[] = [];
  for (const [name, field] of Object.entries(tool.fields)) {
    const value = toolArguments[name];
    if (value === undefined || value === null) {
      if (field.required) return `${tool.name} needs '${name}': ${field.description}`;
      continue;
    }
    if (!hasType(value, field.type)) return `'${name}' of ${tool.name} must be ${TYPE_NAMES[field.type]}`;
    if (field.afterDashes) after.push(...(value as string[]));
    else if (field.type === "boolean") options.push(...(value === true ? [field.option!] : []));
    else if (field.option !== undefined) options.push(`${field.option}=${String(value)}`);
    // a path that begins with a dash is no option
    else own.push(/^-./.test(String(value)) ? `./${String(value)}` : String(value));
  }
  return [...tool.command, ...options, ...own, ...(after.length === 0 ? [] : ["--", ...after])];
}

const TYPE_NAMES = { string: "a text", integer: "a whole number", boolean: "true or false", words: "a list of texts" };

function hasType(value: unknown, type: ToolField["type"]): boolean {
  if (type === "words") return Array.isArray(value) && value.every((word) => typeof word === "string");
  if (type === "integer") return Number.isSafeInteger(value);
  return typeof value === type;
}
