/** The PyTorch releases that are known, and how a text names one. */

import { failure, success, type Outcome } from "../base/diagnostic.ts";
import { invariant } from "../base/invariant.ts";
import { nearestNames } from "../base/nearest.ts";

/** Oldest first. */
export const TORCH_VERSIONS = [
  "1.12",
  "1.13",
  "2.0",
  "2.1",
  "2.2",
  "2.3",
  "2.4",
  "2.5",
  "2.6",
  "2.7",
  "2.8",
  "2.9",
  "2.10",
  "2.11",
  "2.12",
  "2.13",
  "2.14",
  "2.15",
] as const;
export type TorchVersion = (typeof TORCH_VERSIONS)[number];

/** The newest version of which anything is known. */
export const NEWEST_TORCH: TorchVersion = TORCH_VERSIONS[TORCH_VERSIONS.length - 1]!;

/** The newest version with which the corpora are recorded. */
export const DEFAULT_TORCH: TorchVersion = "2.14";

export type VersionErrorCode = "unknown_torch" | "unknown_torch_nearest";

/** `2.6`, `2.6.0`, `2.6.0+cu124` and `v2.6` are all 2.6. */
function majorMinor(typed: string): string {
  return /^v?(\d+\.\d+)(?:\.\d+)?(?:[+a-z].*)?$/i.exec(typed.trim())?.[1] ?? typed;
}

/** The known version that a text means; otherwise the nearest one. */
export function findTorch(typed: string): Outcome<TorchVersion, VersionErrorCode> {
  const version = majorMinor(typed);
  const known = TORCH_VERSIONS.find((candidate) => candidate === version);
  if (known !== undefined) return success(known);
  const nearest = nearestVersion(version) ?? nearestNames(version, TORCH_VERSIONS)[0];
  if (nearest === undefined) return failure("unknown_torch", { version: typed, newest: NEWEST_TORCH });
  return failure("unknown_torch_nearest", { version: typed, nearest });
}

/** By number, not by spelling: the neighbour of 2.15 is 2.14. */
function nearestVersion(version: string): TorchVersion | undefined {
  const parts = /^(\d{1,3})(?:\.(\d{1,3}))?$/.exec(version);
  if (parts === null) return undefined;
  const order = (major: string, minor: string): number => Number(major) * 1000 + Number(minor);
  const wanted = order(parts[1]!, parts[2] ?? "0");
  const distance = (candidate: TorchVersion): number => {
    const [major, minor] = candidate.split(".") as [string, string];
    return Math.abs(order(major, minor) - wanted);
  };
  let best: TorchVersion = TORCH_VERSIONS[0];
  for (const candidate of TORCH_VERSIONS) if (distance(candidate) < distance(best)) best = candidate;
  return best;
}

/** `major * 100 + minor` of `2.6`, `2.6.0`, `2.6.0+cu124`: releases as numbers to compare. */
export function releaseNumber(torch: string): number {
  const match = /^(\d+)\.(\d+)/.exec(torch);
  invariant(match !== null, `"${torch}" is not a PyTorch version`);
  return Number(match[1]) * 100 + Number(match[2]);
}

/** The newest known release that is not newer than this one; the oldest known where it is older than all. */
export function releaseOf(torch: string): TorchVersion {
  const release = releaseNumber(torch);
  return TORCH_VERSIONS.findLast((candidate) => releaseNumber(candidate) <= release) ?? TORCH_VERSIONS[0];
}

/** `2.6` for 206. */
export function releaseName(release: number): string {
  return `${Math.floor(release / 100)}.${release % 100}`;
}
