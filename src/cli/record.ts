/** `vramscope record`: runs a script under the person's own Python with PyTorch or TensorFlow, and leaves what it did to memory. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, extname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { field, isObject, type JsonObject } from "../formats/json-text.ts";
import { isMessageCode, message, type Locale } from "../i18n/index.ts";
import { valueOf, type Command, type CommandContext, type Parsed } from "./command.ts";
import { readScript } from "./files.ts";
import { isNotebook } from "./script-kind.ts";
import type { Io } from "./io.ts";
import { CANNOT_START, passCommand } from "./passed-command.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = "[options] script.py [words] [-- args]";
const DEFAULT_EVENTS = "1000000";
/** Sources and build lie equally deep below it. */
const RECORDER = fileURLToPath(new URL("../../recorder/vramscope_recorder.py", import.meta.url));

export const recordCommand: Command = {
  name: "record",
  summary: "command_record",
  usage: USAGE,
  arguments: [{ name: "script.py", summary: "argument_record_script" }],
  options: [
    { name: "python", value: "FILE", summary: "option_python" },
    { name: "output", short: "o", value: "DIR", summary: "option_record_output" },
    { name: "events", value: "COUNT", defaultValue: DEFAULT_EVENTS, summary: "option_record_events" },
  ],
  examples: [
    { line: "vramscope record train.py", summary: "example_record" },
    { line: "vramscope record --python .venv/bin/python train.py -- --batch 8", summary: "example_record_python" },
  ],
  run,
};

async function run({ parsed, locale, io }: CommandContext): Promise<number> {
  const [typed, ...words] = parsed.positionals;
  if (typed === undefined) throw new UsageError("missing_script", { usage: `vramscope record ${USAGE}` });
  if (typed === "-") throw new UsageError("record_needs_file");
  if (isNotebook(typed)) throw new UsageError("script_is_notebook", { path: typed });
  const { script } = readScript(typed, io);
  const events = valueOf(parsed, "events") ?? DEFAULT_EVENTS;
  if (!/^[1-9]\d{0,9}$/.test(events)) throw new UsageError("bad_count", { name: "--events", value: events });
  const python = pythonFor(parsed, io);
  const folder = folderFor(typed, parsed, io);
  const outcomeFile = join(folder, "outcome.json");
  for (const name of ["snapshot.pickle", "readings.json", "outcome.json"]) rmSync(join(folder, name), { force: true });
  let exitStatus: number;
  try {
    const command = [python, RECORDER, folder, events, script, ...words, ...parsed.rest];
    exitStatus = await passCommand(command, io).ended;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    io.err(`vramscope: ${message(locale, "watch_cannot_start", { command: python, reason })}\n`);
    return CANNOT_START;
  }
  const args = [...words, ...parsed.rest];
  tell(outcomeAt(outcomeFile), { python, script, args, folder: relative(io.cwd, folder) || "." }, locale, io);
  rmSync(outcomeFile, { force: true });
  return exitStatus;
}

/** `--python`, then the active environment's, then what the shell would find. */
function pythonFor(parsed: Parsed, io: Io): string {
  const typed = valueOf(parsed, "python");
  const environment = io.env["VIRTUAL_ENV"];
  const inEnvironment =
    environment === undefined
      ? []
      : [join(environment, "bin", "python"), join(environment, "Scripts", "python.exe")].filter((path) =>
          existsSync(path),
        );
  const candidates = typed !== undefined ? [typed] : [...inEnvironment, "python3", "python"];
  const found = candidates.find(
    (name) => spawnSync(name, ["--version"], { env: io.env, cwd: io.cwd, stdio: "ignore" }).status === 0,
  );
  if (found !== undefined) return found;
  if (typed !== undefined) throw new UsageError("record_bad_python", { name: typed });
  throw new UsageError("record_no_python");
}

function folderFor(script: string, parsed: Parsed, io: Io): string {
  const typed = valueOf(parsed, "output") ?? `${basename(script, extname(script))}-record`;
  const folder = resolve(io.cwd, typed);
  if (statSync(folder, { throwIfNoEntry: false })?.isFile()) throw new UsageError("not_a_directory", { path: typed });
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UsageError("cannot_write", {
      path: typed,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
  return folder;
}

/** What the recorder says of how it went; null when the script ended it, too. */
function outcomeAt(path: string): JsonObject | null {
  try {
    const outcome: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isObject(outcome) ? outcome : null;
  } catch {
    return null;
  }
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];

interface Recorded {
  readonly python: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly folder: string;
}

function tell(outcome: JsonObject | null, { python, script, args, folder }: Recorded, locale: Locale, io: Io): void {
  const say = (code: Parameters<typeof message>[1], args: Record<string, string> = {}): void =>
    io.err(`vramscope: ${message(locale, code, args)}\n`);
  if (outcome === null) return say("record_no_outcome");
  const code = `record_${String(field(outcome, "code"))}`;
  const reason = String(field(outcome, "reason") ?? "");
  if (isMessageCode(code)) say(code, { python, reason });
  for (const problem of texts(field(outcome, "problems"))) say("record_problem", { problem });
  const files = texts(field(outcome, "files")).map((name) => join(folder, name));
  if (files.length === 0) return;
  say("watch_written", { path: files.join(", ") });
  if (!isMessageCode(code))
    say("record_next", {
      command: ["vramscope compare", script, files[0], ...(args.length > 0 ? ["--", ...args] : [])].join(" "),
    });
}
