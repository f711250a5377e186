/** One line on standard error that says what is going on, on a terminal only, and only when it takes a while. */

import type { Io } from "./io.ts";

const PATIENCE_MS = 300;
/** From here on the line says how long it takes already. */
const LONG_MS = 3000;
const CLEAR_LINE = "\r\u001b[K";

export interface Progress {
  say(text: string): void;
  /** Takes the line away, for good, before anything else is printed. */
  end(): void;
}

export function progressLine(io: Io): Progress {
  if (!io.errInfo.isTty || io.env["CI"] || io.env["TERM"] === "dumb") return { say: () => {}, end: () => {} };
  let shown = false;
  let ended = false;
  let text = "";
  const begun = Date.now();
  const show = (): void => {
    const passed = Date.now() - begun;
    io.err(CLEAR_LINE + (passed < LONG_MS ? text : `${text} · ${Math.round(passed / 1000)} s`));
  };
  let ticking: NodeJS.Timeout | null = null;
  const timer = setTimeout(() => {
    if (ended) return;
    shown = true;
    show();
    ticking = setInterval(show, 1000);
    ticking.unref();
  }, PATIENCE_MS);
  timer.unref();
  return {
    say: (next) => {
      text = next;
      if (shown && !ended) show();
    },
    end: () => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      if (ticking !== null) clearInterval(ticking);
      if (shown) io.err(CLEAR_LINE);
    },
  };
}
