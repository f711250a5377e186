/** The report's picture of memory over events: categories stacked, reserved memory above them, the peak marked. */

import { formatBytes, GIB, KIB, MIB } from "../base/bytes.ts";
import { message, type Locale } from "../i18n/index.ts";
import { CATEGORIES, type Trace } from "../trace/model.ts";
import { categoryName } from "../report/words.ts";
import { CATEGORY_COLOURS } from "./html-style.ts";
import { escapeMarkup } from "./markup.ts";
import { timelineColumns, type TimelineColumn } from "./timeline.ts";

const WIDTH = 1000;
const HEIGHT = 320;
const LEFT = 6;
const BOTTOM = 40;
const TOP = 40;
const COLUMNS = 460;
const STEPS = 4;

/** A round number of bytes per grid line. */
function gridStep(highestBytes: number): number {
  const unit = highestBytes >= STEPS * GIB ? GIB : highestBytes >= STEPS * MIB ? MIB : KIB;
  const wanted = highestBytes / unit / STEPS;
  const scale = 10 ** Math.floor(Math.log10(Math.max(wanted, 1)));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * scale >= wanted) ?? 10;
  return factor * scale * unit;
}

const point = (x: number, y: number): string => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;

/** An area between two edges as steps. */
function area(
  columns: readonly TimelineColumn[],
  low: readonly number[],
  high: readonly number[],
  xs: readonly number[],
): string {
  const up = columns.map((_, i) => `${i === 0 ? "M" : "L"}${point(xs[i]!, high[i]!)}L${point(xs[i + 1]!, high[i]!)}`);
  const down = columns.map((_, i) => `L${point(xs[i + 1]!, low[i]!)}L${point(xs[i]!, low[i]!)}`).reverse();
  return `${up.join("")}${down.join("")}Z`;
}

export function timelineFigure(trace: Trace, peak: number, locale: Locale): string {
  const columns = timelineColumns(trace, COLUMNS);
  if (columns.length === 0) return "";
  const highestBytes = Math.max(...columns.map((column) => Math.max(column.reservedBytes, column.allocatedBytes)), 1);
  const step = gridStep(highestBytes);
  const topBytes = Math.ceil(highestBytes / step) * step;
  const yOf = (bytes: number) => HEIGHT - BOTTOM - (bytes / topBytes) * (HEIGHT - BOTTOM - TOP);
  const xs = Array.from({ length: columns.length + 1 }, (_, i) => LEFT + (i / columns.length) * (WIDTH - LEFT - 6));
  const parts: string[] = [];
  // amounts stand inside the picture and above what they measure, so that they can be large on a phone
  const amounts: string[] = [];
  for (let bytes = 0; bytes <= topBytes; bytes += step) {
    const y = yOf(bytes);
    parts.push(`<line class="grid" x1="${LEFT}" x2="${WIDTH - 6}" y1="${y}" y2="${y}"/>`);
    if (bytes > 0) {
      amounts.push(`<text x="${LEFT + 4}" y="${y - 5}">${formatBytes(bytes).replace(/\.00 /, " ")}</text>`);
    }
  }
  let low = columns.map(() => yOf(0));
  let lowBytes = columns.map(() => 0);
  for (const [index, category] of CATEGORIES.entries()) {
    if (columns.every((column) => column.bytes[index] === 0)) continue;
    const highBytes = columns.map((column, i) => lowBytes[i]! + column.bytes[index]!);
    const high = highBytes.map(yOf);
    const most = Math.max(...columns.map((column) => column.bytes[index]!));
    const title = `${categoryName(locale, category)}: ${message(locale, "html_at_most", { bytesBytes: most })}`;
    parts.push(
      `<path d="${area(columns, low, high, xs)}" fill="${CATEGORY_COLOURS[category]}"><title>${escapeMarkup(title)}</title></path>`,
    );
    low = high;
    lowBytes = highBytes;
  }
  const reserved = columns.map(
    (column, i) =>
      `${i === 0 ? "M" : "L"}${point(xs[i]!, yOf(column.reservedBytes))}L${point(xs[i + 1]!, yOf(column.reservedBytes))}`,
  );
  parts.push(`<path class="reserved" d="${reserved.join("")}"/>`);
  const at = columns.findIndex((column) => column.event >= peak);
  if (peak >= 0 && at >= 0) {
    const x = (xs[at]! + xs[at + 1]!) / 2;
    const side = x > WIDTH * 0.8 ? { anchor: "end", dx: -6 } : { anchor: "start", dx: 6 };
    parts.push(`<line class="peak" x1="${x}" x2="${x}" y1="${TOP - 8}" y2="${HEIGHT - BOTTOM}"/>`);
    parts.push(
      `<text class="peak-name" x="${x + side.dx}" y="${TOP - 10}" text-anchor="${side.anchor}">${escapeMarkup(message(locale, "label_peak"))} ${formatBytes(columns[at]!.allocatedBytes)}</text>`,
    );
  }
  parts.push(
    ...amounts,
    `<text x="${LEFT}" y="${HEIGHT - 10}">0</text><text x="${WIDTH - 6}" y="${HEIGHT - 10}" text-anchor="end">${escapeMarkup(message(locale, "html_events", { count: trace.events.kind.length }))}</text>`,
  );
  const name = message(locale, "html_section_timeline");
  const used = CATEGORIES.filter((_, index) => columns.some((column) => column.bytes[index] !== 0));
  const legend = used.map(
    (category) =>
      `<li><span class="swatch" style="background:${CATEGORY_COLOURS[category]}"></span>${escapeMarkup(categoryName(locale, category))}</li>`,
  );
  legend.push(`<li><span class="dash"></span>${escapeMarkup(message(locale, "label_reserved"))}</li>`);
  return `<figure class="card"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeMarkup(name)}">${parts.join("")}</svg><ul class="legend">${legend.join("")}</ul></figure>`;
}
