/** Sizes of pictures on the command line: `1280x720`, width first. */

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Null for what is no size from 1 to `most` pixels on each side. */
export function pixelSize(typed: string, most: number): PixelSize | null {
  const [, wide, high] = /^(\d{1,5})x(\d{1,5})$/i.exec(typed) ?? [];
  const [width, height] = [Number(wide ?? 0), Number(high ?? 0)];
  return Math.min(width, height) >= 1 && Math.max(width, height) <= most ? { width, height } : null;
}
