/** Byte counts as people read them: binary units, one formatter for every face. */

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;

/**
 * Two decimals as Python's and C's `%.2f` print them, where a tie goes to the even digit (8.125 is 8.12), so that our figures
 * are the ones that programs print. JavaScript's `toFixed` would round ties up; only odd eighths are ties.
 */
export function fixed2(value: number): string {
  const eighths = value * 8;
  if (!Number.isInteger(eighths) || eighths % 2 === 0) return value.toFixed(2);
  const lower = Math.floor(value * 100);
  return ((lower % 2 === 0 ? lower : lower + 1) / 100).toFixed(2);
}

/** Bytes as the nearest binary unit with two decimals, for example `8.12 MiB`; below 1 KiB as `512 bytes`. */
export function formatBytes(bytes: number): string {
  const magnitude = Math.abs(bytes);
  if (magnitude >= GIB) return `${fixed2(bytes / GIB)} GiB`;
  if (magnitude >= MIB) return `${fixed2(bytes / MIB)} MiB`;
  if (magnitude >= KIB) return `${fixed2(bytes / KIB)} KiB`;
  return `${bytes} bytes`;
}

/** Like {@link formatBytes} with an explicit sign, for changes; zero has none. */
export function formatChange(bytes: number): string {
  return bytes > 0 ? `+${formatBytes(bytes)}` : formatBytes(bytes);
}
