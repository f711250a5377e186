/** Whether to colour, how wide to write, and the painter that does it. */

import { styleText } from "node:util";
import type { Painter } from "../report/index.ts";
import type { ColourChoice } from "./colour-choices.ts";
import { valueOf, type Parsed } from "./command.ts";
import type { Io, StreamInfo } from "./io.ts";

export { COLOUR_CHOICES, type ColourChoice } from "./colour-choices.ts";

const UNKNOWN_WIDTH = 80;
const NARROWEST = 40;
// Longer lines are harder to read, however wide the window is.
const WIDEST = 160;

/** An option beats NO_COLOR, which beats FORCE_COLOR, which beats what the stream is. */
export function wantsColour(choice: ColourChoice, env: Io["env"], stream: StreamInfo): boolean {
  if (choice !== "auto") return choice === "always";
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTty && env["TERM"] !== "dumb";
}

/** COLUMNS beats the terminal's width; a pipe has none, so 80. */
export function widthOf(env: Io["env"], stream: StreamInfo): number {
  const wanted = Number(env["COLUMNS"]);
  const width = Number.isInteger(wanted) && wanted > 0 ? wanted : (stream.columns ?? UNKNOWN_WIDTH);
  return Math.min(WIDEST, Math.max(NARROWEST, width));
}

export function painterFor(coloured: boolean, width: number, ascii: boolean): Painter {
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    coloured ? styleText(format, text, { validateStream: false }) : text;
  return {
    strong: paint("bold"),
    faint: paint("dim"),
    good: paint(["bold", "green"]),
    bad: paint(["bold", "red"]),
    width,
    ascii,
  };
}

/** The painter that `--color` and `--ascii` ask for, as wide as the stream. */
export function painterOf(parsed: Parsed, env: Io["env"], stream: StreamInfo): Painter {
  const choice = (valueOf(parsed, "color") ?? "auto") as ColourChoice;
  return painterFor(wantsColour(choice, env, stream), widthOf(env, stream), parsed.flags.has("ascii"));
}
