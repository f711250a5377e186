/** Profiles of machines, kept in the user's configuration folder: one JSON file each, checked when it is read. */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nearestNames } from "../base/nearest.ts";
import { field, isObject, type JsonObject } from "../formats/json-text.ts";
import type { Measurement, Profile } from "../gpus/profile.ts";
import type { Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";

const FORMAT = "vramscope-profile";
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MOST_MEASUREMENTS = 1000;
const MOST_FILE_BYTES = 1 << 20;

/** `$XDG_CONFIG_HOME/vramscope/profiles`, or what is usual instead; null where there is no home. */
export function profileFolder({ env }: Io): string | null {
  const home = env["HOME"] ?? env["USERPROFILE"];
  const base =
    env["XDG_CONFIG_HOME"] || env["APPDATA"] || (home === undefined || home === "" ? "" : join(home, ".config"));
  return base === "" ? null : join(base, "vramscope", "profiles");
}

function fileOf(name: string, io: Io): string {
  if (!NAME.test(name) || name === "none") throw new UsageError("bad_profile_name", { name });
  const folder = profileFolder(io);
  if (folder === null) throw new UsageError("profile_no_home");
  return join(folder, `${name}.json`);
}

const isBytes = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value.slice(0, 200) : null);

function measurementOf(value: unknown): Measurement | null {
  if (!isObject(value)) return null;
  const [file, contextBytes, roundingBytes, when] = ["file", "contextBytes", "roundingBytes", "when"].map((name) =>
    field(value, name),
  );
  if (typeof file !== "string" || !isBytes(contextBytes) || !isBytes(roundingBytes)) return null;
  return when === "start" || when === "work" ? { file: file.slice(0, 1000), contextBytes, roundingBytes, when } : null;
}

/** Null where the text is no profile of this schema. */
function profileOf(text: string, name: string): Profile | null {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(document) || field(document, "format") !== FORMAT || field(document, "schemaVersion") !== 1)
    return null;
  const profile: JsonObject = document;
  const gpu = field(profile, "gpu");
  const list = field(profile, "measurements");
  const workspace = field(profile, "cublasWorkspaceBytes");
  if (typeof gpu !== "string" || !Array.isArray(list) || list.length > MOST_MEASUREMENTS) return null;
  const measurements = list.map(measurementOf);
  if (measurements.includes(null) || (workspace !== null && !isBytes(workspace))) return null;
  return {
    schemaVersion: 1,
    name,
    gpu,
    driver: textOrNull(field(profile, "driver")),
    torch: textOrNull(field(profile, "torch")),
    measurements: measurements.filter((measurement) => measurement !== null),
    cublasWorkspaceBytes: workspace,
  };
}

/** Names, those that were written last first. */
export function profileNames(io: Io): string[] {
  const folder = profileFolder(io);
  if (folder === null) return [];
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
  const changed = (name: string): number => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return names
    .sort((a, b) => changed(b) - changed(a))
    .map((name) => name.slice(0, -".json".length))
    .filter((name) => NAME.test(name));
}

/** @throws {UsageError} where there is none of that name, or it is not readable as one. */
export function readProfile(name: string, io: Io): Profile {
  const path = fileOf(name, io);
  const bytes = statSync(path, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) {
    const [nearest] = nearestNames(name, profileNames(io));
    if (nearest === undefined) throw new UsageError("no_profile", { name });
    throw new UsageError("no_profile_nearest", { name, nearest });
  }
  const profile = bytes > MOST_FILE_BYTES ? null : profileOf(readFileSync(path, "utf8"), name);
  if (profile === null) throw new UsageError("broken_profile", { name, path });
  return profile;
}

/** Null instead of an error. */
export function profileIfThere(name: string, io: Io): Profile | null {
  try {
    return readProfile(name, io);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** Writes a new file and puts it in the place of the old one, so that no half a profile is ever there. */
export function writeProfile(profile: Profile, io: Io): string {
  const path = fileOf(profile.name, io);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const part = `${path}.${process.pid}.part`;
    writeFileSync(part, `${JSON.stringify({ format: FORMAT, ...profile }, null, 2)}\n`);
    renameSync(part, path);
  } catch (error) {
    throw new UsageError("cannot_write", { path, reason: error instanceof Error ? error.message : String(error) });
  }
  return path;
}

export function removeProfile(name: string, io: Io): void {
  readProfile(name, io);
  rmSync(fileOf(name, io));
}

/** The profile that `--profile` names; without it the last one of this GPU, if any; null with `none`. */
export function profileFor(typed: string | undefined, gpu: string, io: Io): Profile | null {
  if (typed === "none") return null;
  if (typed !== undefined) {
    const profile = readProfile(typed, io);
    if (profile.gpu !== gpu) throw new UsageError("profile_other_gpu", { name: typed, profileGpu: profile.gpu, gpu });
    return profile;
  }
  for (const name of profileNames(io)) {
    const profile = profileIfThere(name, io);
    if (profile?.gpu === gpu) return profile;
  }
  return null;
}
