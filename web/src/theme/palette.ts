/**
 * The colours of every chart, by name. A colour means a category and never stands alone: order, legend and patterns say it too.
 * Ten hues start from Okabe and Ito's set. Tones alternate along the fixed order of the stack, so that neighbours differ by 3:1 in
 * lightness, also for people who see fewer colours; test/web/chart-palette.test.ts checks it. Red is kept for what does not fit.
 */

import { CATEGORIES, type Category, type Phase } from "../../../src/trace/model.ts";

export type Theme = "light" | "dark";

export interface Palette {
  /** What charts are drawn on. */
  readonly surface: string;
  readonly ink: string;
  readonly soft: string;
  /** Thin separators and grid lines. */
  readonly line: string;
  readonly category: Readonly<Record<Category, string>>;
  readonly phase: Readonly<Record<Phase, string>>;
  /** Reserved memory that no block uses, hatched. */
  readonly cached: string;
  /** CUDA context and what else the driver takes. */
  readonly overhead: string;
  readonly reserved: string;
  readonly capacity: string;
  readonly peak: string;
  /** Selection, focus, marked ranges. */
  readonly accent: string;
  /** Search hits. */
  readonly match: string;
  readonly oom: string;
}

export const PALETTES: Readonly<Record<Theme, Palette>> = {
  light: {
    surface: "#ffffff",
    ink: "#1b1f27",
    soft: "#5a6372",
    line: "#e3e6eb",
    category: {
      parameter: "#1f208a",
      gradient: "#bb851e",
      optimizer_state: "#660b77",
      gathered_parameter: "#b35bff",
      communication: "#01322d",
      activation: "#15a077",
      temporary: "#5e2700",
      kv_cache: "#3890da",
      buffer: "#003f00",
      input: "#d467a5",
      workspace: "#2c3456",
      unknown: "#868a92",
    },
    phase: { forward: "#c9daf2", backward: "#f3d3ae", optimizer: "#dcc9ea", other: "#e8eaee" },
    cached: "#8a92a0",
    overhead: "#767d8a",
    reserved: "#1b1f27",
    capacity: "#b3261e",
    peak: "#1b1f27",
    accent: "#0b66d8",
    match: "#b8009c",
    oom: "#c3201a",
  },
  dark: {
    surface: "#161b22",
    ink: "#e8ebf0",
    soft: "#9aa4b4",
    line: "#2a2f38",
    category: {
      parameter: "#2d6dcb",
      gradient: "#fed698",
      optimizer_state: "#9a4ab4",
      gathered_parameter: "#d1fe53",
      communication: "#703afd",
      activation: "#67f4c7",
      temporary: "#9e6352",
      kv_cache: "#aae6fe",
      buffer: "#4f723b",
      input: "#ffb3e2",
      workspace: "#686194",
      unknown: "#c1c1c1",
    },
    phase: { forward: "#2b4263", backward: "#5f4526", optimizer: "#4d3762", other: "#282d36" },
    cached: "#7d8797",
    overhead: "#8c95a3",
    reserved: "#e8ebf0",
    capacity: "#ff8a80",
    peak: "#e8ebf0",
    accent: "#6cb2ff",
    match: "#ff7be5",
    oom: "#ff7b72",
  },
};

/** Colours for groups that are not categories, in the order of the stack: the same ten, so neighbours differ as much. */
export function sequence(theme: Theme): readonly string[] {
  return CATEGORIES.map((category) => PALETTES[theme].category[category]);
}
