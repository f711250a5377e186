/** The allocator's configuration: what `PYTORCH_CUDA_ALLOC_CONF` says, for a PyTorch release. */

import { nearestNames } from "../base/nearest.ts";
import { ALLOC_OPTIONS, type AllocOption } from "./config-options.ts";
import { AllocConfError } from "./config-error.ts";
import { DIVISION_SLOTS, LARGE_SEGMENT_BYTES } from "./constants.ts";
import { tokenize, type TokenStream } from "./config-tokens.ts";
import { DEFAULT_TORCH, releaseName, releaseNumber } from "../torch/releases.ts";

export interface AllocatorConfig {
  /** The text it was parsed from. */
  readonly text: string;
  readonly backend: "native" | "cudaMallocAsync";
  /** Infinity when unlimited. */
  readonly maxSplitBytes: number;
  readonly maxNonSplitRoundingBytes: number;
  readonly roundupDivisions: readonly number[];
  readonly roundupBypassBytes: number;
  /** 0 when off. */
  readonly garbageCollectionThreshold: number;
  readonly expandableSegments: boolean;
  readonly largeSegmentBytes: number;
  /** Share of the device that the process may reserve, or null. */
  readonly memoryFraction: number | null;
  /** Refusals by the memory fraction are final and counted. */
  readonly rejectsEarly: boolean;
  /** False with `PYTORCH_NO_CUDA_MEMORY_CACHING`. */
  readonly caching: boolean;
  /** Options that were given and do not change device memory, by name. */
  readonly withoutEffect: readonly string[];
}

/** The same fields while they are being read. */
export type MutableConfig = { -readonly [K in keyof AllocatorConfig]: AllocatorConfig[K] };

/** What holds when no variable is set. */
export const DEFAULT_ALLOC_CONFIG: AllocatorConfig = {
  text: "",
  backend: "native",
  maxSplitBytes: Infinity,
  maxNonSplitRoundingBytes: LARGE_SEGMENT_BYTES,
  roundupDivisions: Object.freeze(Array.from({ length: DIVISION_SLOTS }, () => 0)),
  roundupBypassBytes: Infinity,
  garbageCollectionThreshold: 0,
  expandableSegments: false,
  largeSegmentBytes: LARGE_SEGMENT_BYTES,
  memoryFraction: null,
  rejectsEarly: false,
  caching: true,
  withoutEffect: [],
};

function optionNamed(name: string, release: number): AllocOption {
  const option = ALLOC_OPTIONS.find((candidate) => candidate.name === name);
  const available = ALLOC_OPTIONS.filter((candidate) => candidate.since <= release && release < candidate.until);
  if (option === undefined) {
    const [nearest = ""] = nearestNames(
      name,
      available.map((candidate) => candidate.name),
    );
    throw new AllocConfError("alloc-conf-unknown-option", { option: name, nearest, torch: releaseName(release) });
  }
  if (release < option.since) {
    throw new AllocConfError("alloc-conf-option-too-new", {
      option: name,
      since: releaseName(option.since),
      torch: releaseName(release),
    });
  }
  if (release >= option.until) {
    throw new AllocConfError("alloc-conf-option-removed", {
      option: name,
      until: releaseName(option.until),
      torch: releaseName(release),
    });
  }
  return option;
}

/** Whether a release knows an option; of a text that names no release nothing is known. */
export function knowsAllocOption(name: string, torch: string): boolean {
  if (!/^\d+\.\d+/.test(torch)) return false;
  const release = releaseNumber(torch);
  return ALLOC_OPTIONS.some((option) => option.name === name && option.since <= release && release < option.until);
}

/** Reads `option:value,option:value`, as PyTorch does; throws {@link AllocConfError} for what PyTorch refuses, and for numbers that it would silently misread. */
export function parseAllocConf(text: string, torch: string = DEFAULT_TORCH): AllocatorConfig {
  const release = releaseNumber(torch);
  const config: MutableConfig = { ...DEFAULT_ALLOC_CONFIG, text };
  const tokens: TokenStream = tokenize(text);
  const settings: { option: AllocOption; value: string | readonly (readonly [string, string])[] }[] = [];
  while (!tokens.atEnd) {
    if (tokens.skip(",")) continue; // empty items are harmless
    const option = optionNamed(tokens.word("an option"), release);
    tokens.expect(":", option.name);
    settings.push({
      option,
      value: option.list && tokens.peek === "[" ? tokens.list(option.name) : tokens.value(option.name),
    });
    if (!tokens.atEnd) tokens.expect(",", option.name);
  }
  // The size of large segments bounds other options wherever it stands in the text.
  settings.sort((a, b) => Number(b.option.first ?? false) - Number(a.option.first ?? false));
  for (const { option, value } of settings) option.apply(config, value, release);
  return config;
}

/** Environment variables that matter to the allocator; others are ignored. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration of a process with this environment. */
export function allocConfigFromEnvironment(environment: Environment, torch: string = DEFAULT_TORCH): AllocatorConfig {
  const release = releaseNumber(torch);
  const text =
    environment.PYTORCH_CUDA_ALLOC_CONF ?? (release >= 209 ? environment.PYTORCH_ALLOC_CONF : undefined) ?? "";
  // Any value switches caching off, the empty one too.
  return { ...parseAllocConf(text, torch), caching: environment.PYTORCH_NO_CUDA_MEMORY_CACHING === undefined };
}
