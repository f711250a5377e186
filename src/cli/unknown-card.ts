/** A card's name that nobody knows: the error, with the cards whose names hold what was typed. */

import { nearestNames } from "../base/nearest.ts";
import { CAPACITIES } from "../gpus/capacity.ts";
import { findGpu } from "../gpus/catalogue.ts";
import { UsageError } from "./usage-error.ts";

/** More names than this are no help. */
const MOST_NAMES = 6;
const squeezed = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** By a whole name, else by what the simulated cards are also called. */
function nearestCard(typed: string): readonly string[] {
  const [name] = nearestNames(
    typed,
    CAPACITIES.map(({ id }) => id),
  );
  if (name !== undefined) return [name];
  const found = findGpu(typed);
  return found.ok || found.error.code !== "unknown_gpu_nearest" ? [] : [String(found.error.args["nearest"])];
}

export function unknownCard(typed: string): UsageError {
  const found = findGpu(typed);
  if (!found.ok && found.error.code === "several_gpus") return new UsageError(found.error.code, found.error.args);
  const key = squeezed(typed);
  const inside = key.length < 2 ? [] : CAPACITIES.filter(({ id, name }) => squeezed(`${id} ${name}`).includes(key));
  const names = inside.length > 0 ? inside.slice(0, MOST_NAMES).map(({ id }) => id) : nearestCard(typed);
  return names.length === 0
    ? new UsageError("unknown_gpu", { name: typed }, "see_help_gpus")
    : new UsageError("unknown_gpu_nearest", { name: typed, nearest: names.join(", ") }, "see_help_gpus");
}
