/** `vramscope mcp` as an assistant uses it: the SDK's own client starts the process, lists the tools and calls each. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";
import { schemaOf, TOOLS, wordsOf } from "../../src/cli/mcp-tools.ts";
import { optionsOf } from "../../src/cli/parse.ts";
import { CLI, folderWith, ROOT } from "../helpers.ts";

interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly said: { exitStatus: number; meaning: string; command: string; cut: boolean } | undefined;
}

describe("tools for assistants", () => {
  const client = new Client({ name: "test", version: "1" });
  const folder = folderWith({ "oom.log": "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. " });
  beforeAll(async () => {
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, "mcp"], cwd: ROOT }));
  });
  afterAll(() => client.close());

  async function call(name: string, given: Record<string, unknown>): Promise<Answer> {
    const result = await client.callTool({ name, arguments: given });
    const [content] = result.content as { type: string; text: string }[];
    return {
      isError: result.isError === true,
      text: content!.text,
      said: result.structuredContent as Answer["said"],
    };
  }

  it("are listed with schemas, and introduce themselves", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["run", "estimate", "plan", "layout", "explain", "open", "compare"]);
    for (const { inputSchema, description } of tools) {
      expect(Object.keys(inputSchema.properties!).length).toBeGreaterThan(2);
      expect(description!.length).toBeGreaterThan(60);
    }
    expect(client.getServerVersion()!.name).toBe("vramscope");
    expect(client.getInstructions()).toContain("'estimate' for a model");
  });

  it("run: a script, and the trace that others read", async () => {
    const output = join(folder, "trace.json");
    const { said, text, isError } = await call("run", { script: "examples/attention.py", torch: "1.13", output });
    expect(said).toMatchObject({ exitStatus: 0, cut: false });
    expect([isError, text.includes("44.00 MiB  peak of memory_allocated()")]).toEqual([false, true]);
    const compared = await call("compare", { predicted: output, recorded: output });
    expect(compared.said!.exitStatus).toBe(0);
    expect(compared.text).toContain("Unexplained: 0 bytes");
    const at = await call("explain", { subject: "trace.json", folder, at: "line:49", top: 1 });
    expect(at.text).toContain("attention.py:49");
  });

  it("run: what does not fit is an answer, what cannot run is a failure", async () => {
    const over = await call("run", { script: "examples/attention.py", limit: "1MiB", report: "summary" });
    expect([over.said!.meaning, over.isError]).toEqual(["does not fit", false]);
    const none = await call("run", { script: "examples/atention.py" });
    expect([none.said!.meaning, none.isError]).toEqual(["wrong usage", true]);
    expect(none.text).toContain("attention.py");
  });

  it("run: arguments go to the program and are no options", async () => {
    const script = join(folderWith({ "a.py": "import sys; print(sys.argv[1:])" }), "a.py");
    expect((await call("run", { script, arguments: ["--gpu", "x"], report: "summary" })).text).toContain(
      "['--gpu', 'x']",
    );
  });

  it("estimate", async () => {
    const { text, said } = await call("estimate", { model: "llama-3.1-8b", engine: "vllm", gpu: "h100" });
    expect(said!.command).toBe("vramscope estimate --gpu=h100 --engine=vllm llama-3.1-8b");
    expect(text).toContain("KV cache");
  });

  it("plan", async () => {
    const { text, said } = await call("plan", { model: "llama-3.2-1b", gpus: 2, gpu: "h100", seq: "1024", top: 1 });
    expect(said!.command).toBe("vramscope plan --gpus=2 --gpu=h100 --seq=1024 --top=1 llama-3.2-1b");
    expect(text).toContain("layouts that fit, cheapest first");
  });

  it("layout", async () => {
    const { text } = await call("layout", { model: "llama-3.1-8b", gpus: 8, gpu: "h100", layout: "tp=8" });
    expect(text).toContain("tp=8");
  });

  it("explain: a finding", async () => {
    expect((await call("explain", { subject: "float32_logits" })).text).toContain("vocabulary");
  });

  it("open", async () => {
    const { text, said } = await call("open", { file: "oom.log", folder });
    expect(said!.exitStatus).toBe(0);
    expect(text).toContain("2.00 GiB");
  });

  it("say what is wrong with a call", async () => {
    for (const [name, given, part] of [
      ["run", {}, "needs 'script'"],
      ["run", { script: "a.py", gpuu: "t4" }, "no field 'gpuu'"],
      ["run", { script: 3 }, "must be a text"],
      ["layout", { model: "x", gpus: "8" }, "must be a whole number"],
      ["open", { file: "a", folder: "/nothing/here" }, "is no folder"],
      ["runn", {}, "no tool 'runn'"],
    ] as const) {
      const { isError, text } = await call(name, given);
      expect([isError, text]).toEqual([true, expect.stringContaining(part)]);
    }
  });
});

describe("the table of tools", () => {
  it("names options that their commands have, with choices that they take", async () => {
    const commands = new Map((await allCommands()).map((command) => [command.name, command]));
    for (const tool of TOOLS) {
      const options = optionsOf(commands.get(tool.command[0]!)!);
      for (const field of Object.values(tool.fields)) {
        if (field.option === undefined) continue;
        const option = options.find(({ name, aliases }) => [name, ...(aliases ?? [])].includes(field.option!.slice(2)));
        expect([tool.name, field.option, option !== undefined]).toEqual([tool.name, field.option, true]);
        expect(option!.value === undefined).toBe(field.type === "boolean");
        for (const choice of option!.choices === undefined ? [] : (field.choices ?? []))
          expect(option!.choices).toContain(choice);
      }
      expect(schemaOf(tool).additionalProperties).toBe(false);
    }
  });

  it("keeps what is given from becoming an option", () => {
    const run = TOOLS.find(({ name }) => name === "run")!;
    expect(wordsOf(run, { script: "--web" })).toEqual(["run", "./--web"]);
    expect(wordsOf(run, { script: "a.py", limit: "--web" })).toEqual(["run", "--limit=--web", "a.py"]);
  });

  it("is what the skill file tells assistants", () => {
    const skill = readFileSync(join(ROOT, "skills", "vramscope", "SKILL.md"), "utf8");
    const named = new Set([...skill.matchAll(/\| `(\w+)` \|/g)].map(([, name]) => name));
    expect([...named].sort()).toEqual(TOOLS.map(({ name }) => name).sort());
    expect(skill).toMatch(/^---\nname: vramscope\ndescription: .{80,1024}\n---\n/);
  });
});
