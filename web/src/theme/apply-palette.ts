/** Makes the palette's colours CSS variables, so that style sheets use the same ones as the canvas. */

import { effect } from "@preact/signals";
import { isDark } from "../state/settings.ts";
import { PALETTES } from "./palette.ts";

export function applyPalette(): void {
  effect(() => {
    const { category, phase, ...colours } = PALETTES[isDark.value ? "dark" : "light"];
    const { style } = document.documentElement;
    const put = (prefix: string, values: Readonly<Record<string, string>>): void => {
      for (const [name, colour] of Object.entries(values)) style.setProperty(`--${prefix}-${name}`, colour);
    };
    put("category", category);
    put("phase", phase);
    put("chart", colours as Readonly<Record<string, string>>);
  });
}
