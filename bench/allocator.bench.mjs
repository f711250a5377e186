/**
 * How many allocate-and-free pairs per second the caching allocator makes.
 * Speeds depend on the machine, so each row is also a ratio to a pair of Map operations measured beside it.
 * Run after the build: node bench/allocator.bench.mjs
 */

import { pathToFileURL } from "node:url";
import { CachingAllocator, parseAllocConf } from "../dist/alloc/index.js";

const GIB = 2 ** 30;
const ROUND = 200_000;

/** A small deterministic generator: the same work on every machine. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function newAllocator(conf = "") {
  return new CachingAllocator({ totalBytes: 512 * GIB, config: parseAllocConf(conf) });
}

/** Sizes as a training step has them: mostly activations of a few MiB, many small ones, some weights. */
function trainingSizes(count) {
  const random = randomNumbers(7);
  return Array.from({ length: count }, () => {
    const kind = random();
    if (kind < 0.35) return 4 + Math.floor(random() * 65_536);
    if (kind < 0.9) return 2 ** 20 + Math.floor(random() * 16) * 2 ** 20;
    return 2 ** 24 + Math.floor(random() * 64) * 2 ** 20;
  });
}

/** One workload: a set-up that returns a function that makes about {@link ROUND} pairs. */
const WORKLOADS = [
  {
    name: "Map set and delete (yardstick)",
    setUp() {
      const map = new Map();
      for (let i = 0; i < 1000; i++) map.set(i * 4096, i);
      return () => {
        for (let i = 0; i < ROUND; i++) {
          map.set(2 ** 33 + i * 512, i);
          map.delete(2 ** 33 + i * 512);
        }
      };
    },
  },
  {
    name: "same size again and again",
    setUp() {
      const allocator = newAllocator();
      return () => {
        for (let i = 0; i < ROUND; i++) allocator.free(allocator.malloc(4_194_304));
      };
    },
  },
  {
    name: "training step, 300 blocks live",
    setUp: () => sliding(newAllocator(), trainingSizes(4096), 300),
  },
  {
    name: "training step, 300 blocks live, expandable segments",
    setUp: () => sliding(newAllocator("expandable_segments:True"), trainingSizes(4096), 300),
  },
  {
    name: "fragmented heap, 20,000 blocks live",
    setUp: () => sliding(newAllocator(), trainingSizes(65_536), 20_000),
  },
];

/** Frees a pseudo-random live block for each new one. */
function sliding(allocator, sizes, liveCount) {
  const random = randomNumbers(11);
  const live = Array.from({ length: liveCount }, (_, i) => allocator.malloc(sizes[i % sizes.length]));
  let next = 0;
  return () => {
    for (let i = 0; i < ROUND; i++) {
      const at = Math.floor(random() * liveCount);
      allocator.free(live[at]);
      live[at] = allocator.malloc(sizes[next]);
      next = (next + 1) % sizes.length;
    }
  };
}

/** Best of several rounds: other load on the machine only slows down. */
function pairsPerSecond(round) {
  round();
  let best = Infinity;
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    round();
    best = Math.min(best, performance.now() - start);
  }
  return (ROUND / best) * 1000;
}

export function run() {
  const rows = WORKLOADS.map(({ name, setUp }) => ({ name, perSecond: pairsPerSecond(setUp()) }));
  const yardstick = rows[0].perSecond;
  return rows.map((row) => ({ ...row, ratio: row.perSecond / yardstick }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const { name, perSecond, ratio } of run()) {
    console.log(
      `${name.padEnd(54)} ${(perSecond / 1e6).toFixed(2).padStart(7)} M pairs/s  ${ratio.toFixed(2).padStart(5)} x yardstick`,
    );
  }
}
