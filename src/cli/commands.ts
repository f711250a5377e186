/** The command table: a command exists by being listed here. */

import { table } from "../base/table.ts";
import { readFileSync } from "node:fs";
import { nearestNames } from "../base/nearest.ts";
import { widthOf } from "./colour.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { commandHelp, programHelp } from "./help-text.ts";
import { UsageError } from "./usage-error.ts";

const helpCommand: Command = {
  name: "help",
  summary: "command_help",
  usage: "[command]",
  arguments: [{ name: "command", summary: "argument_command" }],
  options: [],
  examples: [],
  run: async ({ parsed, locale, io }: CommandContext): Promise<ExitCode> => {
    const [name] = parsed.positionals;
    const width = widthOf(io.env, io.outInfo);
    io.out(
      name === undefined
        ? programHelp(await allCommands(), locale, width)
        : commandHelp(await findCommand(name), locale, width),
    );
    return EXIT.ok;
  },
};

const versionCommand: Command = {
  name: "version",
  summary: "command_version",
  usage: "",
  arguments: [],
  options: [],
  examples: [],
  run: async ({ io }: CommandContext): Promise<ExitCode> => {
    io.out(`${programVersion()}\n`);
    return EXIT.ok;
  },
};

/** In the order of the help. What a command needs is loaded when it is asked for, because loading takes longer than most answers. */
const COMMANDS = table<() => Promise<Command>>({
  run: async () => (await import("./run.ts")).runCommand,
  torchrun: async () => (await import("./torchrun.ts")).torchrunCommand,
  accelerate: async () => (await import("./accelerate.ts")).accelerateCommand,
  estimate: async () => (await import("./estimate.ts")).estimateCommand,
  plan: async () => (await import("./plan.ts")).planCommand,
  explain: async () => (await import("./explain.ts")).explainCommand,
  diff: async () => (await import("./diff.ts")).diffCommand,
  open: async () => (await import("./open.ts")).openCommand,
  compare: async () => (await import("./compare.ts")).compareCommand,
  calibrate: async () => (await import("./calibrate.ts")).calibrateCommand,
  watch: async () => (await import("./watch.ts")).watchCommand,
  record: async () => (await import("./record.ts")).recordCommand,
  export: async () => (await import("./export.ts")).exportCommand,
  packages: async () => (await import("./packages.ts")).packagesCommand,
  models: async () => (await import("./models.ts")).modelsCommand,
  cache: async () => (await import("./cache.ts")).cacheCommand,
  gpus: async () => (await import("./gpus.ts")).gpusCommand,
  serve: async () => (await import("./serve.ts")).serveCommand,
  completions: async () => (await import("./completions.ts")).completionsCommand,
  mcp: async () => (await import("./mcp.ts")).mcpCommand,
  help: async () => helpCommand,
  version: async () => versionCommand,
});

export const allCommands = (): Promise<readonly Command[]> =>
  Promise.all(Object.values(COMMANDS).map((load) => load()));

/** A file in a command's place: what was meant is to run it, or to look into it. */
const meantFor = (file: string): string => `${/\.(?:pyw?|ipynb)$/i.test(file) ? "run" : "open"} ${file}`;

/** Throws {@link UsageError} with the nearest name. */
export async function findCommand(name: string): Promise<Command> {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]!();
  const [nearest] = /\.\w+$/.test(name) ? [meantFor(name)] : nearestNames(name, Object.keys(COMMANDS));
  if (nearest === undefined) throw new UsageError("unknown_command", { name });
  throw new UsageError("unknown_command_nearest", { name, nearest });
}

/** The package's version; sources and build lie equally deep below `package.json`. */
export function programVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String((manifest as { version?: unknown }).version);
}
