/** GiB with two decimals, so that figures below each other compare; what is small in its own unit. */

import { fixed2, formatBytes, GIB } from "../base/bytes.ts";

const SMALL_BYTES = 0.1 * GIB;

export function gibibytes(bytes: number): string {
  return Math.abs(bytes) >= SMALL_BYTES || bytes === 0 ? `${fixed2(bytes / GIB)} GiB` : formatBytes(bytes);
}
