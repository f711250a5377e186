/** Everything that can be done to the chart as commands, for the keyboard, the shortcut sheet and the palette. */

import type { Chart } from "./chart-state.ts";
import type { ChartWord } from "./words-en.ts";

/** As the page's table of commands has it. */
export interface ChartCommand {
  readonly id: string;
  readonly group: "chart";
  /** `P`, `[`; with `code:` by place on the keyboard, so that movement works on every layout. */
  readonly keys: readonly string[];
  readonly label: () => string;
  readonly run: () => void;
}

const ZOOM = 0.7;
const PAN = 0.15;

export function chartCommands(chart: Chart): readonly ChartCommand[] {
  const command = (name: string, keys: readonly string[], word: ChartWord, run: () => void): ChartCommand => ({
    id: `chart-${name}`,
    group: "chart",
    keys,
    label: () => chart.t(word),
    run,
  });
  return [
    command("zoom-in", ["code:KeyW", "+", "="], "command_zoom_in", () => chart.zoom(ZOOM)),
    command("zoom-out", ["code:KeyS", "-"], "command_zoom_out", () => chart.zoom(1 / ZOOM)),
    command("pan-left", ["code:KeyA"], "command_pan_left", () => chart.pan(-PAN)),
    command("pan-right", ["code:KeyD"], "command_pan_right", () => chart.pan(PAN)),
    command("stretch", ["Shift+code:KeyW"], "command_stretch", () => chart.stretch(ZOOM)),
    command("squeeze", ["Shift+code:KeyS"], "command_squeeze", () => chart.stretch(1 / ZOOM)),
    command("lift", ["Shift+ArrowUp"], "command_lift", () => chart.lift(PAN)),
    command("lower", ["Shift+ArrowDown"], "command_lower", () => chart.lift(-PAN)),
    command("fit-all", ["0"], "command_fit_all", chart.fitAll),
    command("fit-selection", ["F"], "command_fit_selection", chart.fitSelection),
    command("peak", ["P"], "command_go_to_peak", chart.goToPeak),
    command("mark", ["M"], "command_mark_range", chart.markRange),
    command("previous-event", [","], "command_previous_event", () => chart.stepEvent(-1)),
    command("next-event", ["."], "command_next_event", () => chart.stepEvent(1)),
    command("to-alloc", ["["], "command_to_alloc", () => chart.toLinked("alloc")),
    command("to-free", ["]"], "command_to_free", () => chart.toLinked("free")),
    command("colour-by", ["C"], "command_colour_by", chart.nextGrouping),
    command("height", ["H"], "command_height", chart.nextHeight),
    command("search", ["/"], "command_search", chart.askForSearch),
    command("clear", ["Escape"], "command_clear", chart.clear),
  ];
}

/** What the arrow keys do while the chart has the focus; the rest of the page scrolls with them. */
export function arrowAction(chart: Chart, key: string): (() => void) | null {
  switch (key) {
    case "ArrowLeft":
      return () => chart.pan(-PAN);
    case "ArrowRight":
      return () => chart.pan(PAN);
    case "ArrowUp":
      return () => chart.zoom(ZOOM);
    case "ArrowDown":
      return () => chart.zoom(1 / ZOOM);
    default:
      return null;
  }
}
