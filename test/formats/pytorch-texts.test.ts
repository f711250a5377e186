/** Texts of PyTorch: out-of-memory errors of every wording, memory_summary() and memory_stats(): what they say and what follows. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GIB, KIB, MIB } from "../../src/base/bytes.ts";
import { memorySummaryText, oomText, type OomFacts } from "../../src/alloc/index.ts";
import { openFile } from "../../src/formats/open-file.ts";
import { bytesReader } from "../../src/formats/range-reader.ts";
import { ROOT } from "../helpers.ts";
import { rulesFor } from "../../src/torch/changes.ts";
import { releaseOf } from "../../src/torch/releases.ts";

const openText = (text: string, name = "log.txt") => openFile(bytesReader(new TextEncoder().encode(text)), { name });
const openSample = (name: string) => openText(readFileSync(join(ROOT, "test/formats/samples", name), "utf8"), name);

/** Facts by name, in bytes. */
function factsOf(opened: ReturnType<typeof openFile>): Record<string, number> {
  return Object.fromEntries(
    opened.readings!.facts.map(({ name, process, bytes }) => [process < 0 ? name : `${name} ${process}`, bytes]),
  );
}
const codesOf = (opened: ReturnType<typeof openFile>) =>
  opened.notes.map(({ code }) => code).filter((code) => code.startsWith("oom_"));
const gib = (value: number) => Math.round(value * GIB);
const mib = (value: number) => Math.round(value * MIB);

describe("out-of-memory texts as published", () => {
  it("2.6, in a traceback, with other processes", () => {
    const opened = openSample("oom-2.6.txt");
    expect(opened.format).toBe("oom-text");
    expect(factsOf(opened)).toEqual({
      "tried to allocate": mib(130),
      "total capacity": gib(94.96),
      free: mib(59.69),
      "allocated by PyTorch": gib(5.97),
      "reserved but unallocated": mib(116.33),
      "this process": gib(6.62),
      "process 502587": gib(1.78),
      "process 745081": gib(86.44),
    });
    expect(opened.readings!.facts[0]).toMatchObject({ device: 0, line: 9, roundingBytes: Math.round(MIB / 200) });
    expect(opened.readings!.notes).toContainEqual({ name: "wording of PyTorch", value: "2.2 to 2.8", line: 9 });
    expect(codesOf(opened)).toEqual([
      "oom_says_missing",
      "oom_says_not_fragmented",
      "oom_says_outside",
      "oom_says_others",
    ]);
    expect(opened.notes.find(({ code }) => code === "oom_says_others")!.args).toEqual({
      count: 2,
      otherBytes: gib(1.78) + gib(86.44),
    });
  });

  it("1.0: cached is what lies beyond the allocated", () => {
    const opened = openSample("oom-1.0.txt");
    expect(factsOf(opened)).toEqual({
      "tried to allocate": mib(352),
      "total capacity": gib(3.79),
      free: mib(245.12),
      "allocated by PyTorch": gib(1.7),
      "cached beyond what is allocated": mib(593.61),
    });
    expect(opened.readings!.notes).toContainEqual({ name: "wording of PyTorch", value: "1.0 to 1.3", line: 1 });
    expect(codesOf(opened)).toEqual(["oom_says_missing", "oom_says_fragmented", "oom_says_rest"]);
  });

  it("private pools; in a container the own process has another number", () => {
    const opened = openSample("oom-private-pools.txt");
    expect(factsOf(opened)).toMatchObject({ "allocated in private pools": mib(328), "process 2109": mib(344) });
    expect(opened.notes.find(({ code }) => code === "oom_says_others")!.args).toEqual({
      count: 1,
      otherBytes: mib(344),
    });
    expect(opened.readings!.notes).toContainEqual({ name: "wording of PyTorch", value: "2.11 and later", line: 1 });
  });

  it("memory in pieces", () => {
    const opened = openSample("oom-fragmented.txt");
    expect(codesOf(opened)).toContain("oom_says_fragmented");
    expect(opened.notes.find(({ code }) => code === "oom_says_missing")!.args).toEqual({
      missingBytes: gib(11.63) - gib(9.85),
    });
  });

  it.each([
    ["oom-hip.txt", { "tried to allocate": mib(978), "total capacity": gib(15.98), "allocated by PyTorch": 0 }],
    ["oom-xpu-broken-lines.txt", { "tried to allocate": mib(20), "allocated by PyTorch": gib(10.43), free: mib(5.62) }],
    ["oom-mps.txt", { "tried to allocate": mib(192), "allocated by PyTorch": gib(17.36), allowed: gib(18.13) }],
    ["oom-malloc-async.txt", { "tried to allocate": mib(640), "device limit": gib(11.59), free: mib(7.12) }],
  ])("%s", (name, facts) => expect(factsOf(openSample(name))).toMatchObject(facts));

  it("deep inside a long log, and several in one", () => {
    const noise = "step 12 loss 3.4512 grad 0.7 all is well\n".repeat(20_000);
    const text = readFileSync(join(ROOT, "test/formats/samples/oom-2.6.txt"), "utf8");
    const opened = openText(`${noise}${text}${noise}${text}`);
    expect(opened.format).toBe("oom-text");
    expect(opened.readings!.facts[0]!.line).toBe(20_009);
    expect(opened.notes.find(({ code }) => code === "oom_says_times")!.args).toEqual({ count: 2 });
  });

  it("a text without figures is still one", () => {
    const opened = openText(
      "RuntimeError: CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported\n",
    );
    expect(opened.format).toBe("oom-text");
    expect(codesOf(opened)).toEqual(["oom_says_nothing"]);
  });
});

describe("out-of-memory texts as we print them for each release", () => {
  const facts: OomFacts = {
    device: 3,
    requestedBytes: 5 * GIB - 1000,
    segmentBytes: 5 * GIB,
    totalBytes: 80 * GIB,
    freeBytes: 3 * GIB,
    allocatedBytes: 60 * GIB,
    reservedBytes: 76 * GIB,
    allowedBytes: 79 * GIB,
    privatePoolBytes: 2 * GIB,
    processBytes: 77 * GIB,
  };
  it.each(["1.13", "2.0"])("%s", (torch) => {
    expect(factsOf(openText(oomText(facts, rulesFor(releaseOf(torch)))))).toEqual({
      "tried to allocate": 5 * GIB,
      "total capacity": 80 * GIB,
      free: 3 * GIB,
      allowed: 79 * GIB,
      "allocated by PyTorch": 60 * GIB,
      "reserved by PyTorch": 76 * GIB,
    });
  });
  it.each(["2.1", "2.2", "2.6", "2.9", "2.14"])("%s", (torch) => {
    const opened = openText(oomText(facts, rulesFor(releaseOf(torch))));
    expect(factsOf(opened)).toEqual({
      "tried to allocate": 5 * GIB,
      "total capacity": 80 * GIB,
      free: 3 * GIB,
      allowed: 79 * GIB,
      "allocated by PyTorch": 62 * GIB,
      "allocated in private pools": 2 * GIB,
      "reserved but unallocated": 14 * GIB,
      "this process": 77 * GIB,
    });
    expect(opened.readings!.facts[0]!.device).toBe(3);
    const [from = "", to = ""] = String(opened.readings!.notes[0]!.value).split(/ to | and /);
    const number = (release: string) => Number(release.split(".")[1]);
    expect(number(torch)).toBeGreaterThanOrEqual(number(from));
    if (to !== "later") expect(number(torch)).toBeLessThanOrEqual(number(to === "" ? from : to));
  });
});

describe("memory_summary()", () => {
  it("of a published log, with a prefix before each line", () => {
    const opened = openSample("memory-summary.txt");
    expect(opened.format).toBe("memory-summary");
    const { facts, notes } = opened.readings!;
    expect(facts.filter(({ quantity }) => quantity !== "other")).toEqual([
      {
        quantity: "allocated",
        name: "Allocated memory (current)",
        device: 1,
        process: -1,
        bytes: 682_537 * KIB,
        roundingBytes: KIB,
        peak: false,
        line: 8,
      },
      {
        quantity: "allocated",
        name: "Allocated memory (peak)",
        device: 1,
        process: -1,
        bytes: 65_430 * MIB,
        roundingBytes: MIB,
        peak: true,
        line: 8,
      },
      {
        quantity: "reserved",
        name: "GPU reserved memory (current)",
        device: 1,
        process: -1,
        bytes: 78_522 * MIB,
        roundingBytes: MIB,
        peak: false,
        line: 12,
      },
      {
        quantity: "reserved",
        name: "GPU reserved memory (peak)",
        device: 1,
        process: -1,
        bytes: 78_522 * MIB,
        roundingBytes: MIB,
        peak: true,
        line: 12,
      },
    ]);
    expect(notes).toContainEqual({ name: "cudaMalloc retries", value: 3, line: 4 });
    expect(notes).toContainEqual({ name: "Allocations (peak)", value: 930, line: 17 });
    expect(opened.notes.map(({ code }) => code)).toEqual([
      "stats_say_cached",
      "stats_say_ahead",
      "stats_say_retries",
      "stats_say_ooms",
    ]);
  });

  it.each(["1.13", "2.0", "2.6", "2.14"])("of %s, whole and abbreviated", (torch) => {
    const names = ["allocated_bytes", "active_bytes", "requested_bytes", "reserved_bytes", "inactive_split_bytes"];
    const stats: Record<string, number> = { num_ooms: 0, num_alloc_retries: 0 };
    for (const name of [...names, "allocation", "active", "segment", "inactive_split"]) {
      for (const pool of ["all", "large_pool", "small_pool"]) {
        ["current", "peak", "allocated", "freed"].forEach(
          (moment, index) => (stats[`${name}.${pool}.${moment}`] = 512 * (index + 3)),
        );
      }
    }
    for (const name of ["oversize_allocations", "oversize_segments"]) {
      for (const moment of ["current", "peak", "allocated", "freed"]) stats[`${name}.${moment}`] = 0;
    }
    for (const abbreviated of [false, true]) {
      const opened = openText(memorySummaryText(stats, rulesFor(releaseOf(torch)), 0, abbreviated));
      expect(factsOf(opened)).toMatchObject({ "Allocated memory (current)": 1536, "GPU reserved memory (peak)": 2048 });
    }
  });
});

describe("memory_stats()", () => {
  it("printed", () => {
    const opened = openSample("memory-stats.txt");
    expect(opened.format).toBe("memory-stats");
    expect(factsOf(opened)).toMatchObject({
      "allocated_bytes.all.current": 29_364_224,
      "allocated_bytes.all.peak": 46_141_440,
      "reserved_bytes.all.current": 883_949_568,
    });
    expect(opened.readings!.facts.find(({ name }) => name === "allocated_bytes.all.peak")).toMatchObject({
      quantity: "allocated",
      peak: true,
      roundingBytes: 0,
    });
    expect(opened.notes.map(({ code }) => code)).toEqual([
      "stats_say_split",
      "stats_say_cached",
      "stats_say_ahead",
      "stats_say_retries",
      "stats_say_ooms",
    ]);
  });
  it("nested, as JSON", () => {
    expect(factsOf(openSample("memory-stats.json"))).toMatchObject({
      "allocated_bytes.all.peak": 46_141_440,
      "allocated_bytes.small_pool.freed": 8192,
      "reserved_bytes.all.peak": 65_011_712,
    });
  });
});
