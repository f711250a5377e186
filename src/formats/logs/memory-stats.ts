/** What `torch.cuda.memory_stats()` returns, as Python prints it (dict, OrderedDict, nested) or as JSON. */

import { table } from "../../base/table.ts";
import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { Quantity } from "../../trace/readings.ts";
import { readText } from "../file-text.ts";
import type { ForeignFormat } from "../foreign-format.ts";
import { explainStats } from "./stats-meaning.ts";
import { NOWHERE, ReadingsBuilder } from "./readings-builder.ts";

/** Flat names, and names with their pool or moment inside of dictionaries. */
const FLAT =
  /["']([a-z_]{2,40})\.(all|small_pool|large_pool)\.(current|peak|allocated|freed)["']\s{0,8}[:,]\s{0,8}(\d{1,19})\b/g;
const OVERSIZE = /["'](oversize_\w{1,20})\.(current|peak|allocated|freed)["']\s{0,8}[:,]\s{0,8}(\d{1,19})\b/g;
const SCALAR = /["'](num_\w{1,30}|max_split_size)["']\s{0,8}[:,]\s{0,8}(-?\d{1,19})\b/g;
const NESTED = /["']([a-z_]{2,40})["']\s{0,8}:\s{0,8}\{((?:[^{}]|\{[^{}]{0,400}\}){0,1200})\}/g;
const NESTED_POOL = /["'](all|small_pool|large_pool)["']\s{0,8}:\s{0,8}\{([^{}]{0,400})\}/g;
const NESTED_VALUE = /["'](current|peak|allocated|freed)["']\s{0,8}:\s{0,8}(\d{1,19})\b/g;

const QUANTITIES = table<Quantity>({
  allocated_bytes: "allocated",
  requested_bytes: "requested",
  reserved_bytes: "reserved",
});
const SIGN = /["']allocated_bytes(?:\.all\.(?:current|peak)["']|["']\s{0,8}:\s{0,8}\{)/;
const MOST_TEXT_BYTES = 1 << 22;

/** All counters of a text by their flat names; the last one of a name counts. */
function countersOf(text: string): Map<string, number> {
  const counters = new Map<string, number>();
  for (const [, group, metric] of text.matchAll(NESTED)) {
    for (const [, pool, values] of metric!.matchAll(NESTED_POOL)) {
      for (const [, moment, value] of values!.matchAll(NESTED_VALUE))
        counters.set(`${group}.${pool}.${moment}`, Number(value));
    }
  }
  for (const [, group, pool, moment, value] of text.matchAll(FLAT))
    counters.set(`${group}.${pool}.${moment}`, Number(value));
  for (const [, group, moment, value] of text.matchAll(OVERSIZE)) counters.set(`${group}.${moment}`, Number(value));
  for (const [, name, value] of text.matchAll(SCALAR)) counters.set(name!, Number(value));
  return counters;
}

export const memoryStats: ForeignFormat = {
  id: "memory-stats",
  title: "torch.cuda.memory_stats()",
  extensions: ["txt", "json", "log"],
  sniff: (_head, text) => (SIGN.test(text) ? 0.9 : 0),
  read: (file, { name }) => {
    const counters = countersOf(readText(file, MOST_TEXT_BYTES));
    const out = new ReadingsBuilder();
    for (const [key, value] of counters) {
      if (!Number.isSafeInteger(value)) continue;
      const [group = "", pool, moment] = key.split(".");
      if (!group.endsWith("_bytes")) {
        if (pool === undefined || moment === "current" || moment === "peak") out.note(key, value, -1);
        continue;
      }
      const own = pool === "all" && (moment === "current" || moment === "peak") ? QUANTITIES[group] : undefined;
      out.fact(own ?? "other", NOWHERE, key, { bytes: value, roundingBytes: 0 }, moment === "peak", -1);
    }
    if (out.isEmpty) throw new DiagnosticError(diagnostic("log_no_figures", { title: memoryStats.title }));
    explainStats(
      {
        allocated: counters.get("allocated_bytes.all.current"),
        peakAllocated: counters.get("allocated_bytes.all.peak"),
        reserved: counters.get("reserved_bytes.all.current"),
        peakReserved: counters.get("reserved_bytes.all.peak"),
        split: counters.get("inactive_split_bytes.all.current"),
        ooms: counters.get("num_ooms"),
        retries: counters.get("num_alloc_retries"),
      },
      out,
    );
    return { format: memoryStats.id, trace: null, ...out.finish(memoryStats.id, name) };
  },
};
