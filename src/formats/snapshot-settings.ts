/** The allocator's settings of a snapshot as a configuration, as far as charged bytes depend on them. */

import { parseAllocConf, type AllocatorConfig } from "../alloc/config.ts";
import { AllocConfError } from "../alloc/config-error.ts";
import type { MemorySnapshot } from "./snapshot.ts";

type Settings = MemorySnapshot["allocatorSettings"];

const own = (settings: Settings, name: string) => (Object.hasOwn(settings, name) ? settings[name] : undefined);

/** The variable's text, if this version of the rules can read it. */
function parsed(text: unknown): AllocatorConfig {
  if (typeof text === "string") {
    try {
      return parseAllocConf(text);
    } catch (error) {
      if (!(error instanceof AllocConfError)) throw error;
    }
  }
  return parseAllocConf("");
}

/** `1:0,2:0,...` as the reader writes the dictionary: divisions by slot, which are named by their MiB. */
function divisions(text: unknown, otherwise: readonly number[]): readonly number[] {
  if (typeof text !== "string" || text === "") return otherwise;
  const bySlot = [...otherwise];
  for (const pair of text.split(",")) {
    const match = /^(\d{1,6}):(\d{1,6})$/.exec(pair);
    const slot = match === null ? -1 : Math.log2(Number(match[1]));
    if (Number.isInteger(slot) && slot >= 0 && slot < bySlot.length) bySlot[slot] = Number(match![2]);
  }
  return bySlot;
}

export function snapshotConfig(settings: Settings): AllocatorConfig {
  const config = parsed(own(settings, "PYTORCH_CUDA_ALLOC_CONF"));
  const split = own(settings, "max_split_size");
  return {
    ...config,
    maxSplitBytes: typeof split === "number" ? (split <= 0 ? Infinity : split) : config.maxSplitBytes,
    roundupDivisions: divisions(own(settings, "roundup_power2_divisions"), config.roundupDivisions),
  };
}
