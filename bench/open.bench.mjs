// Memory snapshots of a million events and of 1 GB: written by our own exporter, opened by the command line with its whole report.
// Limits: 3 s, and 15 s with 1.5 GB of memory. Files go to the system's folder for temporary ones and are removed.
// usage: node bench/open.bench.mjs [--small] [--keep]; npm run bench runs the small one.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const STACKS = 3000;
const DEPTH = 30;

/** A small deterministic generator: the same file on every machine. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A trace with so many events: blocks as in training, stacks of a deep program, through the real allocator. */
async function makeTrace(eventCount) {
  const { CachingAllocator } = await import("../dist/alloc/index.js");
  const { blockRecords } = await import("../dist/trace/block-columns.js");
  const { EVENT_KINDS } = await import("../dist/trace/model.js");
  const { NOTHING_SAVED } = await import("../dist/trace/saved-columns.js");
  const random = randomNumbers(11);
  const frames = [];
  const stacks = Array.from({ length: STACKS }, (_, stack) => {
    let parent = -1;
    for (let depth = 0; depth < DEPTH; depth++) {
      frames.push({
        parent,
        file: `/home/u/model/part_${(stack * 7 + depth) % 40}.py`,
        line: stack + depth,
        name: `f${depth}`,
      });
      parent = frames.length - 1;
    }
    return parent;
  });
  const column = (Array) => new Array(eventCount);
  const events = {
    kind: column(Uint8Array),
    block: column(Int32Array).fill(-1),
    address: column(Float64Array),
    bytes: column(Float64Array),
    allocatedBytes: column(Float64Array),
    reservedBytes: column(Float64Array),
    frame: column(Int32Array),
    op: column(Int32Array),
    module: column(Int32Array),
    phase: column(Uint8Array),
  };
  const most = Math.ceil(eventCount / 2) + 10_000;
  const columns = {
    allocEvent: new Int32Array(most).fill(-1),
    freeEvent: new Int32Array(most).fill(-1),
    requestedBytes: new Float64Array(most),
    category: new Uint8Array(most),
    stream: new Uint16Array(most),
    streams: [0],
    early: { bytes: new Float64Array(0), address: new Float64Array(0), frame: new Int32Array(0) },
    tensors: new Map(),
    notes: new Map(),
  };
  const KIND = Object.fromEntries(EVENT_KINDS.map((name, index) => [name, index]));
  let at = 0;
  let blocks = 0;
  let frame = -1;
  const put = (kind, block, address, bytes) => {
    events.kind[at] = kind;
    events.block[at] = block;
    events.address[at] = address;
    events.bytes[at] = bytes;
    events.allocatedBytes[at] = allocator.memoryAllocated();
    events.reservedBytes[at] = allocator.memoryReserved();
    events.frame[at] = frame;
    events.op[at] = frame % 20;
    events.module[at] = frame % 50;
    at += 1;
  };
  const allocator = new CachingAllocator({
    totalBytes: 2 ** 50,
    onEvent: (event) =>
      event.kind === "segment_alloc" && at < eventCount && put(KIND.segment_alloc, -1, event.address, event.bytes),
  });
  const live = [];
  for (;;) {
    if (at >= eventCount - 2) break;
    frame = stacks[Math.floor(random() * STACKS)];
    const full = live.length > 4000;
    if (live.length > 0 && (full || random() < 0.497)) {
      const index = Math.floor(random() * live.length);
      const [block, number, bytes] = live[index];
      live[index] = live.at(-1);
      live.pop();
      const { address } = block;
      allocator.free(block);
      columns.freeEvent[number] = at;
      put(KIND.free_requested, number, address, bytes);
      continue;
    }
    const requested = Math.ceil(random() < 0.6 ? random() * 2 ** 18 : random() * 2 ** 24);
    const block = allocator.malloc(requested);
    columns.allocEvent[blocks] = at;
    columns.requestedBytes[blocks] = requested;
    columns.category[blocks] = Math.floor(random() * 5);
    live.push([block, blocks, block.bytes]);
    put(KIND.alloc, blocks++, block.address, block.bytes);
  }
  for (const [name, values] of Object.entries(events)) events[name] = values.subarray(0, at);
  for (const name of ["allocEvent", "freeEvent"]) columns[name] = columns[name].subarray(0, blocks);
  return {
    schemaVersion: 1,
    source: "simulated",
    program: "bench.py",
    gpu: "a100-80gb",
    capacityBytes: 2 ** 50,
    torch: "2.14",
    events,
    blocks: blockRecords(columns, events),
    frames,
    ops: Array.from({ length: 20 }, (_, op) => `aten::op_${op}`),
    modules: Array.from({ length: 50 }, (_, module) => `model.layers.${module}`),
    marks: {},
    assumptions: [],
    saved: NOTHING_SAVED,
    failures: [],
  };
}

/** Writes the snapshot of such a trace piece by piece. */
async function writeFile(path, eventCount) {
  const { findExport } = await import("../dist/exports/index.js");
  const trace = await makeTrace(eventCount);
  const file = openSync(path, "w");
  for (const piece of findExport("snapshot").write(trace)) writeSync(file, piece);
  closeSync(file);
}

/** Seconds and peak resident MB of `vramscope open`. */
function open(path) {
  const report = join(path, "..", "usage.json");
  const code = `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(report)}, JSON.stringify(process.resourceUsage())))`;
  const started = performance.now();
  const child = spawnSync(
    process.execPath,
    [
      "--import",
      `data:text/javascript,import { createRequire } from "node:module"; const require = createRequire(${JSON.stringify(`${CLI}/`)}); ${encodeURIComponent(code)}`,
      CLI,
      "open",
      path,
    ],
    { encoding: "utf8" },
  );
  const seconds = (performance.now() - started) / 1000;
  if (child.status !== 0) throw new Error(child.stderr);
  const usage = JSON.parse(readFileSync(report, "utf8"));
  return {
    seconds,
    megabytes: (usage.maxRSS * 1024) / 1e6,
    cpuSeconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
  };
}

/** An event costs about so many bytes in the file. */
const BYTES_PER_EVENT = 114.3;
const CASES = [
  { name: "a million events", events: 1_000_000, limitSeconds: 3, limitMegabytes: Infinity },
  { name: "1 GB", events: Math.ceil(1.005e9 / BYTES_PER_EVENT), limitSeconds: 15, limitMegabytes: 1500 },
];

async function main() {
  const cases = process.argv.includes("--small") ? CASES.slice(0, 1) : CASES;
  let failed = 0;
  console.log(
    `${"open a snapshot".padEnd(20)}${"MB".padStart(7)}${"events".padStart(12)}${"s".padStart(8)}${"limit".padStart(7)}${"cpu s".padStart(8)}${"peak MB".padStart(9)}`,
  );
  for (const { name, events, limitSeconds, limitMegabytes } of cases) {
    const folder = mkdtempSync(join(tmpdir(), "vramscope-bench-"));
    const path = join(folder, "snapshot.pickle");
    try {
      // in a process of its own, so that nothing of it is in memory while the file is opened
      const made = spawnSync(process.execPath, [fileURLToPath(import.meta.url), "--write", path, String(events)], {
        stdio: "inherit",
      });
      if (made.status !== 0) throw new Error("the file was not written");
      const { seconds, megabytes, cpuSeconds } = open(path);
      const over = seconds > limitSeconds || megabytes > limitMegabytes;
      if (over) failed += 1;
      console.log(
        `${name.padEnd(20)}${(statSync(path).size / 1e6).toFixed(0).padStart(7)}${String(events).padStart(12)}${seconds.toFixed(2).padStart(8)}${String(limitSeconds).padStart(7)}${cpuSeconds.toFixed(2).padStart(8)}${megabytes.toFixed(0).padStart(9)}${over ? "  over the limit" : ""}`,
      );
    } finally {
      if (!process.argv.includes("--keep")) rmSync(folder, { recursive: true });
      else console.log(path);
    }
  }
  process.exitCode = failed === 0 ? 0 : 1;
}

const write = process.argv.indexOf("--write");
if (write > 0) await writeFile(process.argv[write + 1], Number(process.argv[write + 2]));
else await main();
