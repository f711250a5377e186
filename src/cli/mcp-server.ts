/** The server behind `vramscope mcp`: tools over standard input and output, by the Model Context Protocol's own SDK. */

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { EXIT } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { FOLDER_FIELD, schemaOf, TOOLS, wordsOf } from "./mcp-tools.ts";

/** Answers are read by models: what is longer is cut at a line, and says so. */
const MOST_CHARACTERS = 12_000;
const COLUMNS = "120";

const INSTRUCTIONS =
  "GPU memory of PyTorch programs without a GPU. 'run' for a script, 'estimate' for a model without one, 'plan' for several GPUs, 'open' for a recorded file, 'compare' for a prediction against a recording, 'explain' for a moment, a line or the code of a finding.";

/** What the exit status says beside the text. */
const MEANINGS: Readonly<Record<number, string>> = {
  [EXIT.ok]: "fits, or done",
  [EXIT.doesNotFit]: "does not fit",
  [EXIT.usage]: "wrong usage",
  [EXIT.programFailed]: "the program or its input failed",
  [EXIT.ourBug]: "VRAMScope failed",
  [EXIT.interrupted]: "interrupted",
};
const OUTPUT_SCHEMA = {
  type: "object" as const,
  properties: {
    exitStatus: { type: "integer", description: "as of the command line" },
    meaning: { type: "string", enum: Object.values(MEANINGS) },
    command: { type: "string", description: "the command line that does the same" },
    cut: { type: "boolean", description: "whether the text was longer" },
  },
  required: ["exitStatus", "meaning", "command", "cut"],
};

type CommandLine = (args: readonly string[], io: Io) => Promise<number>;

/** Serves until standard input ends or the process is told to stop. */
export async function serveTools(runCommandLine: CommandLine, version: string, io: Io): Promise<void> {
  const server = new Server(
    { name: "vramscope", title: "VRAMScope", version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: schemaOf(tool),
      outputSchema: OUTPUT_SCHEMA,
      annotations: { openWorldHint: false, destructiveHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (tool === undefined) return wrong(`no tool '${params.name}': ${TOOLS.map(({ name }) => name).join(", ")}`);
    const toolArguments = params.arguments ?? {};
    const words = wordsOf(tool, toolArguments);
    if (typeof words === "string") return wrong(words);
    const folder = toolArguments[FOLDER_FIELD] ?? ".";
    const cwd = typeof folder === "string" ? resolve(io.cwd, folder) : "";
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return wrong(`'${String(folder)}' is no folder`);
    return answered(words, await commandText(runCommandLine, words, { ...io, cwd, signal }));
  });
  const transport = new StdioServerTransport();
  const closed = new Promise<void>((done) => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
    server.onclose = done;
    process.stdin.once("end", done);
    io.signal.addEventListener("abort", () => done(), { once: true });
  });
  await server.connect(transport);
  await closed;
  await server.close();
}

/** Runs a command; what it would print is kept. Standard output belongs to the protocol. */
async function commandText(
  runCommandLine: CommandLine,
  words: readonly string[],
  io: Io,
): Promise<{ readonly exitStatus: number; readonly text: string }> {
  let text = "";
  const stream = { isTty: false, columns: undefined };
  const keep = (piece: string): void => void (text += piece);
  const exitStatus = await runCommandLine(words, {
    ...io,
    out: keep,
    err: keep,
    outInfo: stream,
    errInfo: stream,
    env: { ...io.env, COLUMNS, NO_COLOR: "1", LC_ALL: "C" },
    readStdin: () => "",
    readStdinBytes: () => new Uint8Array(0),
  });
  return { exitStatus, text };
}

function answered(words: readonly string[], { exitStatus, text }: { exitStatus: number; text: string }) {
  const shown = shortened(text);
  const cut = shown.length < text.length;
  const more = cut ? "\n(cut here: ask for less, e.g. report=summary, or for one line with 'explain')\n" : "";
  const command = ["vramscope", ...words]
    .map((word) => (/^[\w./:=,+-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(" ");
  return {
    content: [{ type: "text" as const, text: shown + more }],
    structuredContent: { exitStatus, meaning: MEANINGS[exitStatus] ?? MEANINGS[EXIT.ourBug]!, command, cut },
    isError: exitStatus !== EXIT.ok && exitStatus !== EXIT.doesNotFit,
  };
}

function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const end = text.lastIndexOf("\n", MOST_CHARACTERS);
  return text.slice(0, end > 0 ? end + 1 : MOST_CHARACTERS);
}

const wrong = (text: string) => ({ content: [{ type: "text" as const, text }], isError: true });
