// What the checks of the package have in common: its size, a program that imports all of its types, and how strictly it is compiled.

/** Half of what it was when Python lay in it three times. */
export const MOST_UNPACKED_BYTES = 41 * 2 ** 20;

/** The oldest that is supported, the last of each line since, and the newest. */
export const TYPESCRIPT_VERSIONS = ["5.6", "5.9", "6", "7"];

/** Reads types of every entry point. */
export const CONSUMER = `
import { run, textReport, type RunOptions, type RunResult } from "vramscope";
import { CachingAllocator } from "vramscope/engine";
import * as exports from "vramscope/exports";
import * as formats from "vramscope/formats";
import * as matchers from "vramscope/matchers";

export const options: RunOptions = { script: "a.py", gpu: "a100" };
export const peak = async (): Promise<number> => (await run(options)).stats.peakAllocatedBytes;
export const blocks = ({ trace }: RunResult): number => trace.blocks.length;
export const addresses: ArrayLike<number> | null = null as RunResult["trace"]["events"]["bytes"] | null;
export const allocator = new CachingAllocator({ totalBytes: 2 ** 30, torch: "2.6" });
export const all = [textReport, exports, formats, matchers];
`;

/** A strict compiler that looks into the package's declarations, too. */
export const consumerConfig = (file) => ({
  compilerOptions: {
    module: "nodenext",
    target: "es2022",
    lib: ["es2023"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  },
  files: [file],
});
