/** The palette as packed pixels for the groups of a chart. */

import { PALETTES, sequence, type Theme } from "../theme/palette.ts";
import type { Groups } from "./groups.ts";
import { mixed, packed, type PaintColours } from "./paint.ts";

/** How far what does not match fades into the surface. */
const FAINT = 0.78;
/** How far lines between blocks go from their colour to the surface. */
const EDGE = 0.45;

/** Colour of a group as text, for legends. */
export function groupColour(groups: Groups, group: number, theme: Theme): string {
  return sequence(theme)[groups.list[group]!.colour]!;
}

export function paintColours(groups: Groups, theme: Theme): PaintColours {
  const { surface, line } = PALETTES[theme];
  const fills = groups.list.map((_, group) => groupColour(groups, group, theme));
  const faint = fills.map((colour) => mixed(colour, surface, FAINT));
  return {
    fill: fills.map(packed),
    edge: fills.map((colour) => packed(mixed(colour, surface, EDGE))),
    faintFill: faint.map(packed),
    faintEdge: faint.map((colour) => packed(mixed(colour, surface, EDGE))),
    surface: packed(surface),
    grid: packed(line),
  };
}
