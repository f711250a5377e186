/** One line on standard error that says what is going on, on a terminal only, and only when it takes a while. */

import type { Io } from "./io.ts";

const PATIENCE_MS = 300;
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
  const timer = setTimeout(() => {
    if (ended) return;
    shown = true;
    io.err(CLEAR_LINE + text);
  }, PATIENCE_MS);
  timer.unref();
  return {
    say: (next) => {
      text = next;
      if (shown && !ended) io.err(CLEAR_LINE + text);
    },
    end: () => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      if (shown) io.err(CLEAR_LINE);
    },
  };
}
