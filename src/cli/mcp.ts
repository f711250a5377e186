/** `vramscope mcp`: the commands as tools for assistants, over standard input and output. */

import type { Command } from "./command.ts";
import { programVersion } from "./commands.ts";
import { EXIT } from "./exit-code.ts";

export const mcpCommand: Command = {
  name: "mcp",
  summary: "command_mcp",
  usage: "",
  arguments: [],
  options: [],
  examples: [{ line: "vramscope mcp", summary: "example_mcp" }],
  run: async ({ io }) => {
    const [{ serveTools }, { runCommandLine }] = await Promise.all([import("./mcp-server.ts"), import("./program.ts")]);
    await serveTools(runCommandLine, programVersion(), io);
    return EXIT.ok;
  },
};
