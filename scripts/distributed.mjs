// Runs a folder of programs for several GPUs, one rank each, and compares their output and their allocations with what was recorded.
// usage: distributed.mjs [--dist FOLDER] [--only TEXT,...] [--every N] [--jobs N] [--packages DIR] [--print] DIR [MANIFEST]
// --packages: a site-packages folder for programs that import what is not built in (accelerate's FSDP plugin).
// Prints each failure with its first difference; the last line is `N passed, N failed`.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { recorderMachine } from "./recorder-machine.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: "string" },
    only: { type: "string" },
    every: { type: "string" },
    jobs: { type: "string" },
    packages: { type: "string" },
    print: { type: "boolean" },
    all: { type: "boolean" },
  },
});
const folder = positionals[0];
const manifest = [
  positionals[1] ?? join(folder ?? "", "manifest.json"),
  join(folder ?? "", "..", "manifest.json"),
].find((path) => existsSync(path));
if (!folder || !manifest) {
  console.error("distributed: name a folder with scripts and a manifest.json in it or beside it");
  process.exit(2);
}
const root = fileURLToPath(new URL("..", import.meta.url));
const dist = resolve(root, values.dist ?? "dist");
const load = (name) => import(pathToFileURL(join(dist, "python", name)));
const [{ runProgram }, { rankEnvironment }] = await Promise.all([load("run.js"), load("ranks.js")]);

const { machine } = recorderMachine([]);
// The recorder's set_ gives the tensor's own storage new memory; on a GPU the source's storage is shared (FSDP1 uses it once for each unit).
// Its `_chunk_cat` is that of no device in particular, which pads gradients that do not divide by the ranks (FSDP2).
const rules = { convolutionChannelsLast: "gradients", setTakesStorage: false, chunkCatPads: true };

/** Allocations with size, stream and what was allocated then; streams are numbered as they come up. */
function allocationsOf(trace) {
  const { kind, block, allocatedBytes } = trace.events;
  const streams = new Map();
  const found = [];
  for (let i = 0; i < kind.length; i++)
    if (kind[i] === 0) {
      const { requestedBytes, stream } = trace.blocks[block[i]];
      found.push([requestedBytes, numbered(streams, stream), allocatedBytes[i]]);
    }
  return found;
}

function numbered(streams, stream) {
  if (stream === 0) return 0;
  if (!streams.has(stream)) streams.set(stream, streams.size + 1);
  return streams.get(stream);
}

function recordedAllocations(file) {
  const bytes = readFileSync(file);
  const { events } = JSON.parse(file.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  const streams = new Map();
  return events
    .filter((event) => event.ev !== "free")
    .map(({ bytes, stream = 0, allocated, op }) => [bytes, numbered(streams, stream), allocated, op]);
}

const written = ([bytes, stream, allocated] = []) =>
  bytes === undefined ? "(nothing more)" : `${bytes} bytes on stream ${stream}, ${allocated} allocated`;

function eventDifference(file, trace) {
  const want = recordedAllocations(file);
  const have = allocationsOf(trace);
  for (let i = 0; i < Math.max(want.length, have.length); i++) {
    if ([0, 1, 2].some((k) => want[i]?.[k] !== have[i]?.[k])) {
      return {
        line: `allocation ${i}`,
        want: `${written(want[i])} ${want[i]?.[3] ?? ""}`,
        have: `${written(have[i])} ${whereOf(trace, i)}`,
      };
    }
  }
  return null;
}

function whereOf(trace, index) {
  const block = trace.blocks[index];
  if (!block) return "";
  const frame = trace.frames[block.frame];
  return `${trace.ops[block.op] ?? ""} at ${frame?.file.split("/").at(-1)}:${frame?.line}`;
}

function outputDifference(expected, actual) {
  const want = expected.split("\n");
  const have = actual.split("\n");
  for (let i = 0; i < Math.max(want.length, have.length); i++)
    if (want[i] !== have[i])
      return { line: i + 1, want: want[i] ?? "(nothing more)", have: have[i] ?? "(nothing more)" };
  return null;
}

async function check(entry) {
  const { world, rank, local_world: localWorld = Math.min(world, 8) } = entry;
  const result = await runProgram(
    {
      script: join(folder, entry.script),
      folder: undefined,
      source: readFileSync(join(folder, entry.script), "utf8"),
      argv: entry.args ?? [],
      torch: entry.torch,
      gpu: "a100-80gb",
      kernelTemporaries: "off",
      env: rankEnvironment({ rank, worldSize: world, localWorldSize: localWorld }),
      devices: localWorld,
      timeoutSeconds: 120,
      sitePackages: entry.packages ?? (values.packages && [resolve(values.packages)]),
    },
    // its attention has another name, so context_parallel does not find it unless the program (`ring`) gave it its own
    { machine: { ...machine, rules: { ...rules, contextParallelReplacesAttention: entry.ring === true } } },
  );
  if (values.print) process.stdout.write(result.stdout + result.stderr);
  if (result.status !== "ok" && result.status !== "system_exit") {
    const lines = (result.errorText ?? "").trim().split("\n");
    return { what: result.status, line: lines.slice(-4, -1).join(" / "), want: "a run to the end", have: lines.at(-1) };
  }
  const file = (name) => join(folder, name);
  const event = existsSync(file(entry.events)) ? eventDifference(file(entry.events), result.trace) : null;
  const line = outputDifference(readFileSync(file(entry.expected), "utf8"), result.stdout);
  if (line !== null) return { what: "output", ...line, also: event };
  return event === null ? null : { what: "events", ...event };
}

const every = Number(values.every ?? 1);
const cases = JSON.parse(readFileSync(manifest, "utf8")).cases.filter(
  ({ id }, index) =>
    index % every === 0 && (!values.only || values.only.split(",").some((part) => id.startsWith(part))),
);
let passed = 0;
const queue = [...cases];
await Promise.all(
  Array.from({ length: Number(values.jobs ?? 2) }, async () => {
    for (let entry; (entry = queue.shift());) {
      const problem = await check(entry);
      if (problem === null) {
        passed += 1;
        continue;
      }
      console.log(
        `FAIL ${entry.id} (${problem.what}, ${problem.line})\n  expected ${problem.want}\n  got      ${problem.have}`,
      );
      if (problem.also)
        console.log(`  ${problem.also.line}: expected ${problem.also.want}\n  got      ${problem.also.have}`);
    }
  }),
);
console.log(`${passed} passed, ${cases.length - passed} failed`);
process.exitCode = passed === cases.length ? 0 : 1;
