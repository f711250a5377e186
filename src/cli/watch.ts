/** `vramscope watch`: runs a command and samples what its processes use on the GPU, by NVIDIA's own figures, until it ends. */

import { writeReadings } from "../formats/readings-file.ts";
import { message, type Locale } from "../i18n/index.ts";
import { readingsSections } from "../report/readings-text.ts";
import type { Painter } from "../report/paint.ts";
import { painterOf } from "./colour.ts";
import { valueOf, type Command, type CommandContext, type Parsed } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { smiGpus, smiLoop } from "./nvidia-smi.ts";
import { CANNOT_START, passCommand } from "./passed-command.ts";
import { processTree } from "./process-tree.ts";
import { RUN_OPTIONS } from "./run-options.ts";
import { UsageError } from "./usage-error.ts";
import { requireWritable, writeWhole } from "./whole-files.ts";
import { WatchSamples, type WatchState } from "./watch-samples.ts";

const USAGE = "[options] -- COMMAND [args]";
const DEFAULT_INTERVAL = "200";
/** The driver itself takes some milliseconds to answer. */
const SHORTEST_MS = 20;
const LONGEST_MS = 60_000;
const LIVE_MS = 250;
const SHORTEST_LOOK_MS = 100;
const CLEAR_LINE = "\r\u001b[K";

export const watchCommand: Command = {
  name: "watch",
  summary: "command_watch",
  usage: USAGE,
  arguments: [{ name: "COMMAND", summary: "argument_watch_command" }],
  options: [
    { name: "interval", value: "MS", defaultValue: DEFAULT_INTERVAL, summary: "option_interval" },
    { name: "output", short: "o", value: "FILE", summary: "option_watch_output" },
    ...RUN_OPTIONS.filter(({ name }) => name === "color" || name === "ascii"),
  ],
  examples: [{ line: "vramscope watch -o watch.json -- python train.py", summary: "example_watch" }],
  run,
};

async function run({ parsed, locale, io }: CommandContext): Promise<number> {
  const command = [...parsed.positionals, ...parsed.rest];
  if (command.length === 0) throw new UsageError("missing_command", { usage: `vramscope watch ${USAGE}` });
  const intervalMs = intervalOf(parsed);
  const found = smiGpus(io);
  if (!found.ok) {
    const code = found.reason === null ? "watch_no_driver" : "watch_driver_fails";
    io.err(`vramscope: ${message(locale, code, { reason: found.reason ?? "" })}\n`);
    return EXIT.programFailed;
  }
  const output = valueOf(parsed, "output");
  // whether it can be written shall not turn out after hours
  if (output !== undefined) requireWritable(output, io);
  const startMs = Date.now();
  const seconds = (): number => (Date.now() - startMs) / 1000;
  const { child, ended } = passCommand(command, io);
  const tree = processTree(child.pid ?? -1);
  // what ends soon must have been seen before
  const looks = setInterval(() => tree.refresh(), Math.max(intervalMs, SHORTEST_LOOK_MS));
  const samples = new WatchSamples(found.gpus, tree, intervalMs, startMs);
  const loop = smiLoop(intervalMs, io, (line) => samples.tell(line));
  const live = liveLine(io, locale, seconds, () => samples.state);
  let exitStatus: number;
  try {
    exitStatus = await ended;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    io.err(`vramscope: ${message(locale, "watch_cannot_start", { command: command[0]!, reason })}\n`);
    return CANNOT_START;
  } finally {
    clearInterval(looks);
    await loop.stop();
    live.end();
  }
  samples.end();
  const readings = samples.readings({ command, pid: child.pid!, exitStatus, seconds: seconds(), intervalMs });
  const { peakBytes, wasSeen } = samples.state;
  const painter = painterOf(parsed, io.env, io.errInfo);
  const headline = message(locale, wasSeen ? "watch_peak" : "watch_not_seen", { peakBytes, command: readings.program });
  io.err(`\n${painter.strong(headline)}\n\n${timeline(readings, locale, painter)}`);
  if (output !== undefined) {
    writeWhole(output, [writeReadings(readings)], io);
    io.err(`${message(locale, "watch_written", { path: output })}\n`);
  }
  return exitStatus;
}

function timeline(readings: Parameters<typeof readingsSections>[0], locale: Locale, painter: Painter): string {
  const { series } = readings;
  const sections = readingsSections({ ...readings, series, facts: [], notes: [] }, { locale, painter });
  return sections.map((section) => `${section.join("\n")}\n`).join("\n");
}

function intervalOf(parsed: Parsed): number {
  const typed = valueOf(parsed, "interval") ?? DEFAULT_INTERVAL;
  const value = Number(typed);
  if (!/^\d+$/.test(typed) || value < SHORTEST_MS || value > LONGEST_MS) {
    throw new UsageError("bad_interval", { value: typed, least: SHORTEST_MS, most: LONGEST_MS });
  }
  return value;
}

/** One line on a terminal that says how it stands; nothing elsewhere. */
function liveLine(io: Io, locale: Locale, seconds: () => number, state: () => WatchState): { end: () => void } {
  if (!io.errInfo.isTty || io.env["CI"] || io.env["TERM"] === "dumb") return { end: () => {} };
  const timer = setInterval(() => {
    const { nowBytes, peakBytes } = state();
    io.err(CLEAR_LINE + message(locale, "watch_live", { seconds: seconds().toFixed(1), nowBytes, peakBytes }));
  }, LIVE_MS);
  return {
    end: () => {
      clearInterval(timer);
      io.err(CLEAR_LINE);
    },
  };
}
