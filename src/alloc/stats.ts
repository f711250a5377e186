/** The allocator's counters, in one typed array, and their flat names as `torch.cuda.memory_stats()` returns them. */

import type { AllocatorRules } from "../torch/allocator-rules.ts";

const COUNTED = [
  "allocation",
  "segment",
  "active",
  "inactive_split",
  "allocated_bytes",
  "reserved_bytes",
  "active_bytes",
  "inactive_split_bytes",
  "requested_bytes",
  "oversize_allocations",
  "oversize_segments",
] as const;
const POOLS = ["all", "small_pool", "large_pool"] as const;
const FIELDS = ["current", "peak", "allocated", "freed"] as const;
const ROW = POOLS.length * FIELDS.length;
const FREED = 3;

/** Where each statistic begins in {@link StatTable.values}. */
export const ALLOCATION = 0;
export const SEGMENT = ROW;
export const ACTIVE = 2 * ROW;
export const INACTIVE_SPLIT = 3 * ROW;
export const ALLOCATED_BYTES = 4 * ROW;
export const RESERVED_BYTES = 5 * ROW;
export const ACTIVE_BYTES = 6 * ROW;
export const INACTIVE_SPLIT_BYTES = 7 * ROW;
export const REQUESTED_BYTES = 8 * ROW;
/** The last two count all pools together. */
export const OVERSIZE_ALLOCATIONS = 9 * ROW;
export const OVERSIZE_SEGMENTS = 10 * ROW;

const SMALL = FIELDS.length;
const LARGE = 2 * FIELDS.length;

function increaseAt(values: Float64Array, at: number, amount: number): void {
  const current = values[at] + amount;
  values[at] = current;
  if (current > values[at + 1]) values[at + 1] = current;
  values[at + 2] += amount;
}

function decreaseAt(values: Float64Array, at: number, amount: number): void {
  values[at] -= amount;
  values[at + FREED] += amount;
}

export class StatTable {
  readonly values = new Float64Array(COUNTED.length * ROW);
  allocRetries = 0;
  ooms = 0;
  syncAllStreams = 0;
  deviceAllocs = 0;
  deviceFrees = 0;
  oomRejections = 0;

  increase(stat: number, isSmall: boolean, amount: number): void {
    increaseAt(this.values, stat, amount);
    increaseAt(this.values, stat + (isSmall ? SMALL : LARGE), amount);
  }

  decrease(stat: number, isSmall: boolean, amount: number): void {
    decreaseAt(this.values, stat, amount);
    decreaseAt(this.values, stat + (isSmall ? SMALL : LARGE), amount);
  }

  /** One net change: counts as one increase or one decrease. */
  change(stat: number, isSmall: boolean, amount: number): void {
    if (amount > 0) this.increase(stat, isSmall, amount);
    else if (amount < 0) this.decrease(stat, isSmall, -amount);
  }

  /** A block was handed out: what {@link increase} does for its five statistics, in one call, since every allocation makes it. */
  countHandedOut(isSmall: boolean, bytes: number, requestedBytes: number): void {
    const { values } = this;
    for (let pool = 0; ; pool = isSmall ? SMALL : LARGE) {
      increaseAt(values, ALLOCATION + pool, 1);
      increaseAt(values, ALLOCATED_BYTES + pool, bytes);
      increaseAt(values, ACTIVE + pool, 1);
      increaseAt(values, ACTIVE_BYTES + pool, bytes);
      increaseAt(values, REQUESTED_BYTES + pool, requestedBytes);
      if (pool > 0) return;
    }
  }

  increaseTotal(stat: number): void {
    increaseAt(this.values, stat, 1);
  }

  decreaseTotal(stat: number): void {
    decreaseAt(this.values, stat, 1);
  }

  current(stat: number): number {
    return this.values[stat];
  }

  peak(stat: number): number {
    return this.values[stat + 1];
  }

  resetPeaks(): void {
    for (let at = 0; at < this.values.length; at += FIELDS.length) this.values[at + 1] = this.values[at];
  }

  resetAccumulated(): void {
    for (let at = 0; at < this.values.length; at += FIELDS.length) {
      this.values[at + 2] = 0;
      this.values[at + FREED] = 0;
    }
    this.allocRetries = 0;
    this.ooms = 0;
    this.syncAllStreams = 0;
    this.deviceAllocs = 0;
    this.deviceFrees = 0;
    this.oomRejections = 0;
  }

  /** Flat keys in the order in which PyTorch sorts them. */
  toRecord(
    rules: AllocatorRules,
    maxSplitBytes: number,
    privatePools: readonly (readonly [string, StatTable])[],
  ): Record<string, number> {
    const entries: [string, number][] = [];
    for (let stat = 0; stat < COUNTED.length; stat++) {
      const name = COUNTED[stat];
      if (name === "requested_bytes" && !rules.hasRequestedBytes) continue;
      const pools = stat * ROW < OVERSIZE_ALLOCATIONS ? POOLS : [null];
      pools.forEach((pool, p) => {
        const prefix = pool === null ? name : `${name}.${pool}`;
        FIELDS.forEach((field, f) =>
          entries.push([`${prefix}.${field}`, this.values[stat * ROW + p * FIELDS.length + f]]),
        );
      });
    }
    if (rules.hasPrivatePoolStats) {
      for (const [id, table] of privatePools) {
        POOLS.forEach((pool, p) =>
          FIELDS.forEach((field, f) =>
            entries.push([
              `reserved_bytes_by_private_pools.${id}.${pool}.${field}`,
              table.values[RESERVED_BYTES + p * FIELDS.length + f],
            ]),
          ),
        );
      }
    }
    const scalars: Record<string, number> = {
      num_alloc_retries: this.allocRetries,
      num_ooms: this.ooms,
      max_split_size: maxSplitBytes === Infinity ? -1 : maxSplitBytes,
      num_sync_all_streams: this.syncAllStreams,
      num_device_alloc: this.deviceAllocs,
      num_device_free: this.deviceFrees,
      num_oom_rejections: this.oomRejections,
    };
    for (const name of rules.scalarStats) entries.push([name, scalars[name]]);
    entries.sort((a, b) => (a[0] < b[0] ? -1 : 1));
    return Object.fromEntries(entries);
  }
}
