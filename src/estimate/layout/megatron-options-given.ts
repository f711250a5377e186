/** The options of a Megatron-LM command, and which of them a reader asked for. */

import { table } from "../../base/table.ts";
import { isUnfilled } from "./launcher.ts";
import { ReadingError } from "./reading.ts";

/** Layers and stages are written out one by one: more than anybody trains would fill the memory before a contradiction is found. */
export const MOST_LAYERS = 16_384;
const MOST_OF_ALL = 2 ** 40;
const MOST = table<number>({
  "num-layers": MOST_LAYERS,
  "encoder-num-layers": MOST_LAYERS,
  "decoder-num-layers": MOST_LAYERS,
  "mtp-num-layers": MOST_LAYERS,
  "pipeline-model-parallel-size": MOST_LAYERS,
  "num-virtual-stages-per-pipeline-rank": MOST_LAYERS,
});

/** Everything else is counted in whole numbers. */
const SHARES: ReadonlySet<string> = new Set(["hidden-dropout", "attention-dropout", "optimizer-offload-fraction"]);

export class MegatronOptions {
  readonly used = new Set<string>();
  /** What the shell puts behind switches. */
  readonly after = new Set<string>();
  private readonly options: ReadonlyMap<string, string>;
  constructor(options: ReadonlyMap<string, string>) {
    this.options = options;
  }

  has(name: string): boolean {
    const value = this.options.get(name);
    if (value === undefined) return false;
    this.used.add(name);
    // a switch has no value: what follows is a word of its own
    if (isUnfilled(value)) this.after.add(value);
    return value !== "false" && value !== "False";
  }
  text(name: string): string | undefined {
    const value = this.options.get(name);
    if (value === undefined) return undefined;
    this.used.add(name);
    if (value === "" || isUnfilled(value)) throw new ReadingError("launch_bad_value", { name: `--${name}`, value });
    return value;
  }
  number(name: string): number | undefined {
    const typed = this.text(name);
    if (typed === undefined) return undefined;
    const value = Number(typed.replaceAll("_", ""));
    if (!SHARES.has(name) && !Number.isInteger(value))
      throw new ReadingError("launch_bad_value", { name: `--${name}`, value: typed });
    if (typed === "" || !Number.isFinite(value) || value < 0 || value > (MOST[name] ?? MOST_OF_ALL))
      throw new ReadingError("launch_bad_value", { name: `--${name}`, value: typed });
    return value;
  }
  needed(name: string, fallback?: number): number {
    const value = this.number(name) ?? fallback;
    if (value === undefined) throw new ReadingError("launch_missing", { name: `--${name}` });
    return value;
  }
}
