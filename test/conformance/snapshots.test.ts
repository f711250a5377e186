/**
 * A real GPU's memory snapshots: the simulated program makes the recorded requests in the recorded order, and in the address
 * space of the recorded process every allocation of the recorded step gets the recorded address.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Trace } from "../../src/trace/model.ts";
import { formats, vramscope } from "../built.ts";
import { hasSnapshots, NEEDS_SNAPSHOTS, snapshotBytes } from "../snapshots.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

interface Case {
  readonly id: string;
  readonly argv: readonly string[];
  readonly gpu: string;
  readonly torch: string;
  readonly layout: object;
  readonly sequence: { readonly events: number };
}
const { cases } = JSON.parse(readFileSync(at("../measured/cases/snapshots.json"), "utf8")) as { cases: Case[] };

type ReplayOn = (
  trace: Trace,
  torch: string,
  layout: object,
  step: { events: number; tail: number },
) => Promise<{ bytes: Record<string, number>; addresses: [number, number][] }>;
const { replayOn } = (await import(new URL("../../scripts/accuracy/layout.mjs", import.meta.url).href)) as {
  replayOn: ReplayOn;
};

/** Figures printed beside the recordings. Those of the last one's start and peak are rebuilt, which loses what the case notes. */
const RECORDS = [
  { name: "medium_128_inference", start: 1703276544, peak: 1738928128, end: 1703276544, reserved: 1763704832 },
  { name: "medium_128_training", start: 5101219840, peak: 7026606592, end: 6816891392, reserved: 7235174400 },
  {
    name: "medium_512_training",
    start: 5097533440 + 2949120,
    peak: 12431545344 + 2949120,
    end: 6838108672,
    reserved: 12660506624,
  },
];

/** Sizes that a step asks for and gives back, in order: `+bytes` and `-bytes`. */
function recordedStep(name: string): { events: string[]; allocs: [number, number][] } {
  const { actions } = formats.deviceHistory(formats.readSnapshot(snapshotBytes(name)), 0);
  const events: string[] = [];
  const allocs: [number, number][] = [];
  actions.action.forEach((code, i) => {
    const kind = formats.actionName(code);
    if (kind === "alloc") allocs.push([actions.bytes[i], actions.address[i]]);
    if (kind === "alloc" || kind === "free_requested")
      events.push(`${kind === "alloc" ? "+" : "-"}${actions.bytes[i]}`);
  });
  return { events, allocs };
}

/** Nothing lies between the frees of a run, and Python's version decides their order (a frame's locals): by size. */
function inOrder(events: readonly string[]): string[] {
  const ordered: string[] = [];
  let from = 0;
  const flush = (to: number): void => void ordered.push(...events.slice(from, to).sort());
  events.forEach((event, i) => {
    if (event[0] === "-") return;
    flush(i);
    ordered.push(event);
    from = i + 1;
  });
  flush(events.length);
  return ordered;
}

/** Share of `real` in its longest common subsequence with `ours`; pairs further apart than the band are not tried. */
function shareInOrder(real: readonly string[], ours: readonly string[]): number {
  const band = 64;
  let above = new Uint16Array(2 * band + 2);
  for (let i = 0; i < real.length; i++) {
    const row = new Uint16Array(2 * band + 2);
    for (let k = 1; k <= 2 * band; k++) {
      const j = i + k - band - 1;
      const same = j >= 0 && j < ours.length && real[i] === ours[j];
      row[k] = Math.max(above[k] + (same ? 1 : 0), row[k - 1], above[k + 1]);
    }
    above = row;
  }
  return Math.max(...above) / real.length;
}

describe.skipIf(!hasSnapshots)(`the recorded step${NEEDS_SNAPSHOTS}`, () => {
  cases.forEach((entry, i) => {
    const record = RECORDS[i];
    it(`of ${record.name}: sizes, addresses and counters`, async () => {
      const real = recordedStep(record.name);
      const script = at("../measured/programs/language_model.py");
      const result = await vramscope.run({ script, argv: [...entry.argv], gpu: entry.gpu, torch: entry.torch });
      expect(result.status).toBe("ok");
      const events = [...result.stdout.matchAll(/^event\t([+-]\d+)$/gm)].map((match) => match[1]);
      expect(events.length).toBe(real.events.length);
      expect(inOrder(events)).toEqual(inOrder(real.events));
      expect(result.stdout).toContain(`\nreserved\t${record.reserved}\n`);

      const tail = events.length - 1 - events.findLastIndex((event) => event[0] === "+");
      const laidOut = await replayOn(result.trace, entry.torch, entry.layout, { events: events.length, tail });
      expect(laidOut.addresses).toEqual(real.allocs);
      const { start, peak, end, reserved } = record;
      expect(laidOut.bytes).toEqual({ start, peak, end, reserved });
    }, 180_000);
  });
});

/**
 * The program that restates the recorded one, unmodified. It takes the halves of each pair by index where the recorded one
 * unbinds them (its stacks say UnbindBackward0), so its frees come in another order here and there. What it prints under
 * the real PyTorch, with a stand-in for the device, is what it prints here.
 */
const STOCK = [
  {
    args: "medium 128 inference fp32",
    printed: "start 1703276544 1763704832\npeak 1738928128 end 1703276544 1763704832\n",
  },
  {
    args: "medium 128 training fp32",
    printed: "start 5101219840 7277117440\npeak 7026606592 end 6816891392 7277117440\n",
  },
  {
    args: "medium 512 training autocast",
    printed: "start 5099499520 12593397760\npeak 12432528384 end 6836142592 12593397760\n",
  },
];

describe.skipIf(!hasSnapshots)(`the stock program${NEEDS_SNAPSHOTS}`, () => {
  STOCK.forEach(({ args, printed }, i) => {
    it(
      args,
      async () => {
        const script = at("../../../shared/snapshots/program.py");
        const result = await vramscope.run({ script, argv: args.split(" "), torch: "2.11", gpu: "a100-80gb" });
        expect(result.status).toBe("ok");
        expect(result.stdout).toBe(printed);
        const real = recordedStep(RECORDS[i].name);
        const ours = lastStep(result.trace, real);
        const requests = (list: readonly string[]): string[] => list.filter((event) => event[0] === "+");
        expect(requests(ours)).toEqual(requests(real.events));
        expect(shareInOrder(inOrder(real.events), inOrder(ours))).toBeGreaterThan(0.99);
      },
      180_000,
    );
  });
});

/** The events of the last `allocs` allocations of a trace and what is freed between them. */
function lastStep(
  trace: Trace,
  real: { readonly events: readonly string[]; readonly allocs: readonly unknown[] },
): string[] {
  const { kind, block } = trace.events;
  const events: string[] = [];
  let left = real.allocs.length;
  const head = real.events.findIndex((event) => event[0] === "+");
  for (let i = kind.length - 1; i >= 0 && left > 0; i--) {
    if (kind[i] > 1) continue;
    if (kind[i] === 0) left--;
    events.push(`${kind[i] === 0 ? "+" : "-"}${trace.blocks[block[i]].requestedBytes}`);
  }
  events.reverse();
  return [...real.events.slice(0, head), ...events];
}
