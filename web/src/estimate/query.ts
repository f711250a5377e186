/** What was entered as the query of the address, and back: a link shows the same page. */

import { findModel } from "../../../src/estimate/index.ts";
import { findPipeline } from "../../../src/models/pipelines.ts";
import { findCapacity } from "../../../src/gpus/capacity.ts";
import { chosenNow, FIRST_INPUTS, isOption, modeOf, specOf, type Inputs } from "./inputs.ts";

export interface Read {
  readonly inputs: Inputs;
  /** A configuration in packed form that must be unpacked first; null: none. */
  readonly packed: string | null;
}

/** Slashes, commas and colons may stand in the part of an address behind `#`. */
const escaped = (text: string): string => encodeURIComponent(text).replaceAll(/%(2F|2C|3A)/g, decodeURIComponent);

/** `packed`: the given configuration, where there is one. */
export function writeQuery(inputs: Inputs, packed: string | null): string {
  const mode = modeOf(inputs);
  const pairs: (readonly [string, string])[] = [["model", inputs.model]];
  if (packed !== null) pairs.push(["config", packed]);
  if (mode === "train") pairs.push(["task", "train"]);
  if (mode === "align") pairs.push(["task", inputs.chosen["task"]!]);
  for (const [name, value] of chosenNow(inputs)) if (name !== "task") pairs.push([name, value]);
  pairs.push(["gpu", inputs.gpus.join(",")]);
  return pairs.map(([name, value]) => (value === "" ? name : `${name}=${escaped(value)}`)).join("&");
}

/** A query that anybody may have written: what it says that cannot be is left out. */
export function readQuery(query: string): Read {
  const chosen: Record<string, string> = {};
  let { model, gpus } = FIRST_INPUTS;
  let packed: string | null = null;
  for (const [name, value] of new URLSearchParams(query.replaceAll("+", "%2B"))) {
    if (name === "model" && value !== "") model = value.slice(0, 200);
    else if (name === "config") packed = value;
    else if (name === "gpu") gpus = gpuIds(value);
    else if (isOption(name) && isValue(name, value)) chosen[name] = value;
  }
  if (packed === null) {
    const found = findModel(model);
    model = findPipeline(model)?.name ?? (found.ok ? found.value.name : model);
  }
  return { inputs: { model, configText: null, chosen, gpus: gpus.length === 0 ? FIRST_INPUTS.gpus : gpus }, packed };
}

function gpuIds(typed: string): readonly string[] {
  const found = typed.split(",").flatMap((name) => {
    const gpu = findCapacity(name);
    return gpu.ok ? [gpu.value.id] : [];
  });
  return [...new Set(found)];
}

/** Of the page's own questions: what the command line asks besides is done by buttons here. */
function isValue(name: string, value: string): boolean {
  const spec = specOf(name);
  if (spec.value === undefined) return value === "";
  return value !== "" && value.length <= 200 && (spec.choices?.includes(value) ?? true);
}
