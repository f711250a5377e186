/** How a report marks what matters, apart from words: whoever prints it decides whether that is colour or nothing. */

export interface Painter {
  strong(text: string): string;
  faint(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  /** Columns per line. */
  readonly width: number;
  /** No characters outside ASCII in what the report itself draws. */
  readonly ascii: boolean;
}

const asIs = (text: string) => text;

export function plainPainter(width = 80, ascii = false): Painter {
  return { strong: asIs, faint: asIs, good: asIs, bad: asIs, width, ascii };
}

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A horizontal bar for a share between 0 and 1 of `width` columns; anything above 0 is visible. */
export function bar(share: number, width: number, ascii: boolean): string {
  const bounded = Math.min(1, Math.max(0, share));
  if (bounded === 0) return "";
  if (ascii) return "#".repeat(Math.max(1, Math.round(bounded * width)));
  const eighths = Math.max(1, Math.round(bounded * width * 8));
  return "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]!;
}
