/** The command table: a command exists by being listed here. */

import { readFileSync } from "node:fs";
import { nearestNames } from "../base/nearest.ts";
import { widthOf } from "./colour.ts";
import { calibrateCommand } from "./calibrate.ts";
import type { Command, CommandContext } from "./command.ts";
import { compareCommand } from "./compare.ts";
import { estimateCommand } from "./estimate.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { diffCommand } from "./diff.ts";
import { explainCommand } from "./explain.ts";
import { exportCommand } from "./export.ts";
import { gpusCommand } from "./gpus.ts";
import { openCommand } from "./open.ts";
import { commandHelp, programHelp } from "./help-text.ts";
import { recordCommand } from "./record.ts";
import { runCommand } from "./run.ts";
import { serveCommand } from "./serve.ts";
import { UsageError } from "./usage-error.ts";
import { watchCommand } from "./watch.ts";

const helpCommand: Command = {
  name: "help",
  summary: "command_help",
  usage: "[command]",
  arguments: [{ name: "command", summary: "argument_command" }],
  options: [],
  examples: [],
  explainsExitCodes: false,
  run: async ({ parsed, locale, io }: CommandContext): Promise<ExitCode> => {
    const [name] = parsed.positionals;
    const width = widthOf(io.env, io.outInfo);
    io.out(name === undefined ? programHelp(COMMANDS, locale, width) : commandHelp(findCommand(name), locale, width));
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
  explainsExitCodes: false,
  run: async ({ io }: CommandContext): Promise<ExitCode> => {
    io.out(`${programVersion()}\n`);
    return EXIT.ok;
  },
};

export const COMMANDS: readonly Command[] = [
  runCommand,
  estimateCommand,
  explainCommand,
  diffCommand,
  openCommand,
  compareCommand,
  calibrateCommand,
  watchCommand,
  recordCommand,
  exportCommand,
  gpusCommand,
  serveCommand,
  helpCommand,
  versionCommand,
];

/** Throws {@link UsageError} with the nearest name. */
export function findCommand(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const [nearest] = nearestNames(
    name,
    COMMANDS.map((candidate) => candidate.name),
  );
  if (nearest === undefined) throw new UsageError("unknown_command", { name });
  throw new UsageError("unknown_command_nearest", { name, nearest });
}

/** The package's version; sources and build lie equally deep below `package.json`. */
export function programVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String((manifest as { version?: unknown }).version);
}
