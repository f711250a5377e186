/** Reads somebody's configuration into a draft, with what happened to each key. */

import { kept } from "../layout/megatron-command.ts";
import { launched } from "../layout/launcher.ts";
import { shellValue } from "../layout/shell-arithmetic.ts";
import { commandWords } from "../layout/shell-words.ts";
import { ReadingError } from "../layout/reading.ts";
import { DEFAULT_TORCH, type TorchVersion } from "../../torch/releases.ts";
import { nearestNames } from "../../base/nearest.ts";
import { drafted, emptyDraft, type DraftedRun } from "./draft.ts";
import { flatText, type Flat } from "./flat-text.ts";
import { CONFIG_FORMATS, type ConfigFormat } from "./formats.ts";
import { startPreference } from "./preferences.ts";
import { SCRIPT, scriptText } from "./script-format.ts";
import { SWIFT } from "./swift-format.ts";
import { changesNothing, groupOf, isUnmodelled, namesUnmodelled, switchesGroup } from "./trainer-keys.ts";

export interface ConfigReading {
  readonly format: string;
  /** The model that it names; null: the caller must. */
  readonly model: string | null;
  readonly run: DraftedRun;
  /** Environment variables of a command that change what PyTorch allocates. */
  readonly env: Readonly<Record<string, string>>;
  readonly understood: readonly string[];
  readonly without: readonly string[];
  readonly unmodelled: readonly string[];
  /** Keys that nobody here knows, with the nearest known one. */
  readonly unknown: readonly string[];
}

const lastDot = (key: string): number => key.lastIndexOf(".") + 1;

/** The nearest key of the same group: the group's name, which they share, makes no two keys alike. */
function nearestOf(key: string, names: readonly string[]): string[] {
  const group = key.slice(0, lastDot(key));
  const inside = names.filter((name) => name.slice(0, lastDot(name)) === group).map((name) => name.slice(group.length));
  return nearestNames(key.slice(group.length), inside).map((name) => group + name);
}

/** What DeepSpeed's JSON leaves to the Trainer. */
const LEFT_OPEN = "auto";

/** Null for what is no configuration of a known format. Throws {@link ReadingError}. */
export function readConfiguration(
  text: string,
  gpus: number | null,
  torch: TorchVersion = DEFAULT_TORCH,
): ConfigReading | null {
  let read;
  try {
    read = flatText(text);
  } catch (error) {
    // a script is no YAML
    if (error instanceof ReadingError && !/^\s*[{[]/.test(text) && !/^[\w.-]+\s*[:=]/m.test(text)) return null;
    throw error;
  }
  const { flat, syntax } = read;
  const format = CONFIG_FORMATS.find(({ recognises }) => recognises(flat, syntax));
  if (format === undefined) return null;
  return readFlat(format, flat, { gpus, torch });
}

/** A Python program that trains with Unsloth, or with transformers and TRL; null for any other. Throws {@link ReadingError}. */
export function readScript(
  text: string,
  gpus: number | null,
  torch: TorchVersion = DEFAULT_TORCH,
): ConfigReading | null {
  const read = scriptText(text);
  return read === null ? null : readFlat(SCRIPT, read.flat, { gpus, torch }, read.open);
}

/** `swift sft`, `swift pt` and `swift rlhf`; null for any other command. Throws {@link ReadingError}. */
export function readSwiftCommand(
  text: string,
  gpus: number | null,
  torch: TorchVersion = DEFAULT_TORCH,
): ConfigReading | null {
  const launch = launched(commandWords(text));
  if (!/^swift (sft|pt|rlhf)$/.test(launch.script)) return null;
  const processes = Number(launch.env["NPROC_PER_NODE"] ?? 1);
  if (launch.gpus !== null && launch.gpus > 1 && processes === 1 && !launch.options.has("deepspeed"))
    throw new ReadingError("launch_other_program", {
      name: launch.script,
      what: "one model spread over cards by layers (device_map)",
    });
  const flat = new Map<string, string>();
  const open: [string, string][] = [];
  const variables = new Map(launch.gpus === null ? [] : [["nproc_per_node", launch.gpus]]);
  for (const [key, valueText] of launch.options) {
    const value = shellValue(valueText === "" ? "true" : valueText, variables);
    if (value === null) open.push([key, `not known here: ${valueText}`]);
    else flat.set(key, value);
  }
  const rows = Number(launch.env["CELOSS_PARALLEL_SIZE"] ?? 0);
  const pixels = launch.env["MAX_PIXELS"];
  if (pixels !== undefined && !flat.has("max_pixels")) flat.set("max_pixels", pixels);
  const read = readFlat(SWIFT, flat, { gpus: gpus ?? launch.gpus, torch }, open, rows);
  return { ...read, unknown: [...read.unknown, ...launch.unfilled], env: kept(launch.env) };
}

/** Groups in which every key that switches says off. */
function groupsOff(flat: Flat): ReadonlySet<string> {
  const switched = new Map<string, boolean>();
  for (const [key, value] of flat) {
    const group = groupOf(key);
    if (group !== null && switchesGroup(key)) switched.set(group, (switched.get(group) ?? false) || value !== "false");
  }
  return new Set([...switched].filter(([, on]) => !on).map(([group]) => group));
}

function readFlat(
  format: ConfigFormat,
  flat: Flat,
  { gpus, torch }: { readonly gpus: number | null; readonly torch: TorchVersion },
  open: readonly (readonly [string, string])[] = [],
  lossRows = 0,
): ConfigReading {
  const draft = emptyDraft();
  draft.taken.push(...open.map(([name, value]): [string, string] => [name, value]));
  draft.lossRows = Number.isSafeInteger(lossRows) ? lossRows : 0;
  format.start(draft);
  const understood: string[] = [];
  const rest: string[] = [];
  const unused = (format.unused?.(flat) ?? []).filter(([group]) =>
    [...flat.keys()].some((key) => key.startsWith(group)),
  );
  draft.taken.push(...unused.map(([group, because]): [string, string] => [`${group}*`, `not used, as ${because}`]));
  const counts = (key: string): boolean => !unused.some(([group]) => key.startsWith(group));
  for (const [key, value] of flat) {
    if (!counts(key)) continue;
    const rule = Object.hasOwn(format.keys, key) ? format.keys[key] : undefined;
    if (rule === undefined) rest.push(key);
    else {
      understood.push(key);
      const isOpen = value === LEFT_OPEN && format.name === "DeepSpeed" && !/bucket|threshold/.test(key);
      if (!isOpen) rule(draft, value, key);
    }
  }
  if (draft.preference !== null) draft.sequencesOfSample = startPreference(draft.preference);
  const isWithout = (key: string): boolean =>
    changesNothing(key) || format.without.some((name) => key.startsWith(name));
  const off = groupsOff(flat);
  const matters = (key: string): boolean => isUnmodelled(key, flat.get(key)!) && !off.has(groupOf(key) ?? "");
  const names = Object.keys(format.keys);
  return {
    format: format.name,
    model: draft.model,
    run: drafted(draft, gpus, torch),
    env: {},
    understood,
    // a group is one thing, and is named once
    unmodelled: [...new Set(rest.filter(matters).map((key) => groupOf(key) ?? key))],
    without: [
      ...rest.filter((key) => !matters(key) && (isWithout(key) || namesUnmodelled(key))),
      ...[...flat.keys()].filter((key) => !counts(key)),
    ],
    unknown: rest
      .filter((key) => !isWithout(key) && !namesUnmodelled(key))
      .map((key) => {
        const [nearest] = nearestOf(key, names);
        return nearest === undefined ? key : `${key} (${nearest}?)`;
      }),
  };
}
