/** `tp=4,pp=2,cp=1,ep=8,dp=8` as a layout: names, and what follows from the number of GPUs. */

import { ReadingError } from "./reading.ts";
import { evenLayout, type Layout } from "./training-job.ts";

const NAMES = ["tp", "pp", "cp", "ep", "etp", "dp", "vpp", "sp"] as const;
type Name = (typeof NAMES)[number];

/** Throws {@link ReadingError}. `gpus` null: as many as the layout needs. */
export function layoutOf(typed: string, gpus: number | null): Layout {
  const found = new Map<Name, number>();
  for (const part of typed.split(",").filter((text) => text.trim() !== "")) {
    const match = /^\s*([a-z]+)\s*[=:]?\s*(\d{1,6})\s*$/i.exec(part);
    const name = NAMES.find((known) => known === match?.[1]?.toLowerCase());
    if (match === null || name === undefined)
      throw new ReadingError("launch_bad_value", { name: "--layout", value: part });
    if (found.has(name)) throw new ReadingError("launch_contradiction", { a: `${name}=${found.get(name)}`, b: part });
    found.set(name, Number(match[2]));
  }
  const size = (name: Name): number => found.get(name) ?? 1;
  const tp = size("tp");
  const model = tp * size("pp") * size("cp");
  const needed = model * size("dp");
  if (found.has("dp") && gpus !== null && needed !== gpus)
    throw new ReadingError("launch_contradiction", { a: `--gpus ${gpus}`, b: `tp × pp × cp × dp = ${needed}` });
  return evenLayout({
    gpus: gpus ?? needed,
    tp,
    pp: size("pp"),
    cp: size("cp"),
    ep: size("ep"),
    etp: found.get("etp") ?? 1,
    chunks: size("vpp"),
    sequenceParallel: found.has("sp") ? size("sp") > 0 && tp > 1 : tp > 1,
  });
}
