/** Draws over the plot what changes while the pointer moves: the selection, marked ranges, the block and event under the pointer. */

import { PALETTES, type Theme } from "../theme/palette.ts";
import type { Hover } from "./chart-state.ts";
import type { Drawn } from "./draw-plot.ts";
import { placesOf, type Stretch } from "./pick.ts";
import { xOf, yOf } from "./plot-geometry.ts";
import type { EventRange } from "./selection.ts";

export interface OverlayInput {
  readonly theme: Theme;
  readonly hover: Hover | null;
  readonly event: number;
  readonly block: number;
  readonly range: EventRange | null;
  readonly marks: readonly EventRange[];
}

export function drawOverlay(context: CanvasRenderingContext2D, drawn: Drawn, input: OverlayInput): void {
  const { scale, ratio, cells } = drawn;
  const { plot, view } = scale;
  const palette = PALETTES[input.theme];
  const { canvas } = context;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.save();
  context.beginPath();
  context.rect(plot.left, plot.top - 10, plot.width, plot.height + 11);
  context.clip();
  const band = ({ from, to }: EventRange, isSolid: boolean): void => {
    const x0 = xOf(scale, from);
    const x1 = xOf(scale, to);
    context.fillStyle = palette.accent;
    context.globalAlpha = isSolid ? 0.16 : 0.08;
    context.fillRect(x0, plot.top, x1 - x0, plot.height);
    context.globalAlpha = 1;
    context.fillRect(x0 - 0.5, plot.top - (isSolid ? 0 : 8), 1, plot.height + 8);
    context.fillRect(x1 - 0.5, plot.top - (isSolid ? 0 : 8), 1, plot.height + 8);
    if (!isSolid) context.fillRect(x0, plot.top - 8, x1 - x0, 2);
  };
  for (const mark of input.marks) band(mark, false);
  if (input.range !== null) band(input.range, true);
  if (input.hover !== null) {
    context.fillStyle = palette.soft;
    context.fillRect(Math.round(xOf(scale, input.hover.event + 0.5)) - 0.5, plot.top, 1, plot.height);
  }
  if (input.event >= 0 && input.event >= view.from - 1 && input.event < view.to) {
    context.fillStyle = palette.accent;
    context.fillRect(Math.round(xOf(scale, input.event + 0.5)) - 0.75, plot.top - 8, 1.5, plot.height + 8);
  }
  const outline = (block: number, colour: string): void => {
    const places = placesOf(cells, block);
    if (places.length === 0) return;
    trace(context, places, drawn);
    context.lineJoin = "round";
    context.strokeStyle = palette.surface;
    context.lineWidth = 4;
    context.stroke();
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.stroke();
  };
  if (input.hover !== null && input.hover.block >= 0) outline(input.hover.block, palette.ink);
  if (input.block >= 0) outline(input.block, palette.accent);
  context.restore();
}

/** The outline of a block as a path: along its upper edge and back along the lower one; broken where it is not to be seen. */
function trace(context: CanvasRenderingContext2D, places: readonly Stretch[], { scale, ratio }: Drawn): void {
  const xAt = (px: number): number => scale.plot.left + px / ratio;
  context.beginPath();
  for (let first = 0; first < places.length;) {
    let last = first;
    while (last + 1 < places.length && places[last + 1]!.left === places[last]!.right) last += 1;
    context.moveTo(xAt(places[first]!.left), yOf(scale, places[first]!.bottomBytes));
    for (let i = first; i <= last; i++) {
      context.lineTo(xAt(places[i]!.left), yOf(scale, places[i]!.topBytes));
      context.lineTo(xAt(places[i]!.right), yOf(scale, places[i]!.topBytes));
    }
    for (let i = last; i >= first; i--) {
      context.lineTo(xAt(places[i]!.right), yOf(scale, places[i]!.bottomBytes));
      context.lineTo(xAt(places[i]!.left), yOf(scale, places[i]!.bottomBytes));
    }
    context.closePath();
    first = last + 1;
  }
}
