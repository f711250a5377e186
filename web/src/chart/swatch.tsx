/** A small square in the colour of a group, with its pattern where patterns are on. */

import { PALETTES, type Theme } from "../theme/palette.ts";
import { groupColour } from "./colours.ts";
import type { Groups } from "./groups.ts";
import { mixed } from "./paint.ts";
import { patternUrl } from "./patterns.ts";

export interface SwatchProps {
  readonly groups: Groups;
  readonly group: number;
  readonly theme: Theme;
  readonly patterns: boolean;
}

export function Swatch({ groups, group, theme, patterns }: SwatchProps) {
  const colour = groupColour(groups, group, theme);
  const ink = mixed(colour, PALETTES[theme].surface, 0.45);
  const background = patterns ? `${patternUrl(groups.list[group]!.colour, ink)} ${colour}` : colour;
  return <i class="chart-swatch" style={{ background }} />;
}
