/** `vramscope calibrate`: learns from recorded files what this machine uses outside the allocator, for later predictions. */

import { basename } from "node:path";
import { shownJson } from "../base/shown-text.ts";
import { DiagnosticError } from "../base/diagnostic.ts";
import { learnFrom, type Learned, type Source } from "../compare/index.ts";
import type { Measurement, Profile } from "../gpus/profile.ts";
import { message, messageOrCode, type Locale } from "../i18n/index.ts";
import { profileText } from "../report/profile-text.ts";
import { valueOf, type Command, type CommandContext, type Parsed } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { openForeignFile } from "./foreign-files.ts";
import type { Io } from "./io.ts";
import { profileIfThere, profileNames, readProfile, removeProfile, writeProfile } from "./profiles.ts";
import { UsageError } from "./usage-error.ts";
import { namedGpu } from "./named-machine.ts";

const USAGE = "[options] RECORDED ...";
const DEFAULT_NAME = "local";

export const calibrateCommand: Command = {
  name: "calibrate",
  summary: "command_calibrate",
  usage: USAGE,
  arguments: [{ name: "RECORDED", summary: "argument_calibrate" }],
  options: [
    { name: "name", value: "NAME", defaultValue: DEFAULT_NAME, summary: "option_calibrate_name" },
    { name: "predicted", value: "FILE", summary: "option_calibrate_predicted" },
    { name: "gpu", value: "NAME", summary: "option_calibrate_gpu" },
    { name: "fresh", summary: "option_calibrate_fresh" },
    { name: "list", summary: "option_calibrate_list" },
    { name: "remove", value: "NAME", summary: "option_calibrate_remove" },
    { name: "json", summary: "option_calibrate_json" },
  ],
  examples: [
    { line: "vramscope calibrate train-record/readings.json", summary: "example_calibrate" },
    { line: "vramscope calibrate --name lab watch.json --predicted train.json", summary: "example_calibrate_watch" },
  ],
  run,
};

async function run({ parsed, locale, io }: CommandContext): Promise<ExitCode> {
  const toRemove = valueOf(parsed, "remove");
  if (toRemove !== undefined) {
    removeProfile(toRemove, io);
    io.out(`${message(locale, "profile_removed", { name: toRemove })}\n`);
    return EXIT.ok;
  }
  if (parsed.flags.has("list")) {
    print(readableProfiles(locale, io), parsed, locale, io);
    return EXIT.ok;
  }
  const files = parsed.positionals;
  if (files.length === 0) throw new UsageError("missing_file", { usage: `vramscope calibrate ${USAGE}` });
  const predictedFile = valueOf(parsed, "predicted");
  const predicted = predictedFile === undefined ? null : sourceAt(predictedFile, locale, io);
  const learned = files.map((file) => learnFrom(basename(file), sourceAt(file, locale, io), predicted));
  if (
    learned.every(
      ({ measurements, cublasWorkspaceBytes }) => measurements.length === 0 && cublasWorkspaceBytes === null,
    )
  ) {
    io.err(`vramscope: ${message(locale, "calibrate_nothing")}\n`);
    return EXIT.programFailed;
  }
  const name = valueOf(parsed, "name") ?? DEFAULT_NAME;
  const before = parsed.flags.has("fresh") ? null : profileIfThere(name, io);
  const profile = profileFrom(name, learned, before, parsed);
  const path = writeProfile(profile, io);
  print([profile], parsed, locale, io);
  if (!parsed.flags.has("json")) io.out(`${message(locale, "watch_written", { path })}\n`);
  return EXIT.ok;
}

/** All that can be read; of the others it is said that they cannot. */
function readableProfiles(locale: Locale, io: Io): Profile[] {
  return profileNames(io).flatMap((name) => {
    try {
      return [readProfile(name, io)];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      io.err(`vramscope: ${message(locale, error.code, error.args)}\n`);
      return [];
    }
  });
}

function print(profiles: readonly Profile[], parsed: Parsed, locale: Locale, io: Io): void {
  if (parsed.flags.has("json")) io.out(`${shownJson({ schemaVersion: 1, profiles }, 2)}\n`);
  else if (profiles.length === 0) io.out(`${message(locale, "profile_none")}\n`);
  else io.out(profiles.map((profile) => profileText(profile, locale)).join("\n"));
}

function sourceAt(typed: string, locale: Locale, io: Io): Source {
  try {
    const { trace, readings } = openForeignFile(typed, {}, io);
    return trace !== null ? { trace } : { readings: readings! };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const { code, args } = error.diagnostic;
    throw new UsageError("open_failed", { name: typed, reason: messageOrCode(locale, code, args) });
  }
}

/** What was known stays, unless the same file says it anew. */
function profileFrom(name: string, learned: readonly Learned[], before: Profile | null, parsed: Parsed): Profile {
  const named = valueOf(parsed, "gpu");
  const gpu =
    named === undefined ? (learned.find((entry) => entry.gpu !== null)?.gpu ?? before?.gpu) : namedGpu(named).id;
  if (gpu === undefined) throw new UsageError("calibrate_which_gpu");
  if (before !== null && before.gpu !== gpu) {
    throw new UsageError("calibrate_other_gpu", { name, profileGpu: before.gpu, gpu });
  }
  const fresh = learned.flatMap(({ measurements }) => measurements);
  const isNew = ({ file, when }: Measurement): boolean =>
    !fresh.some((measurement) => measurement.file === file && measurement.when === when);
  const last = <K extends "driver" | "torch" | "cublasWorkspaceBytes">(key: K): Learned[K] | null =>
    learned.findLast((entry) => entry[key] !== null)?.[key] ?? before?.[key] ?? null;
  return {
    schemaVersion: 1,
    name,
    gpu,
    driver: last("driver"),
    torch: last("torch"),
    measurements: [...(before?.measurements.filter(isNew) ?? []), ...fresh],
    cublasWorkspaceBytes: last("cublasWorkspaceBytes"),
  };
}
