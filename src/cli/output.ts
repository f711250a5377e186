/**
 * Writing to the standard streams so that nothing is lost: in order and at once while somebody reads, with a little patience, because a
 * pipe may be full for a while. What still finds no room waits its turn, so that signals are heard however slowly somebody reads.
 */

import { writeSync } from "node:fs";

export type WriteSync = (fd: number, data: Uint8Array, offset: number, length: number) => number;

const PAUSE_MS = 5;
/** How long a text may hold up everything else. */
const PATIENCE_MS = 50;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Writes as far as there is room within some milliseconds; whether it is done with. */
type Rest = (patienceMs: number) => boolean;

/** What waits, of all descriptors: what is said on one does not overtake what was said before on another. */
const waiting: Rest[] = [];
const listeners: (() => void)[] = [];

function goOn(): void {
  while (waiting.length > 0) {
    if (!waiting[0]!(0)) {
      setTimeout(goOn, PAUSE_MS);
      return;
    }
    waiting.shift();
  }
  for (const done of listeners.splice(0)) done();
}

/** When all is written, or nobody is there to read it; null where nothing waits. */
export const written = (): Promise<void> | null =>
  waiting.length === 0 ? null : new Promise((done) => listeners.push(done));

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

/**
 * A writer to a file descriptor. Once the reader has gone away (EPIPE), what follows is dropped in silence; when nothing can be
 * written for another reason (a full disk), `onFailure` hears of it once, and what follows is dropped.
 */
export function descriptorWriter(
  fd: number,
  onFailure: (reason: string) => void = () => {},
  write: WriteSync = writeSync,
): (text: string) => void {
  let closed = false;
  const restOf = (data: Uint8Array): Rest => {
    let offset = 0;
    return (patienceMs) => {
      let waited = 0;
      while (offset < data.length && !closed) {
        try {
          offset += write(fd, data, offset, data.length - offset);
        } catch (error) {
          const code = codeOf(error);
          if (code === "EAGAIN" || code === "EINTR") {
            if (waited >= patienceMs) return false;
            waited += PAUSE_MS;
            Atomics.wait(sleeper, 0, 0, PAUSE_MS);
          } else {
            closed = true;
            if (code !== "EPIPE" && code !== "EOF") onFailure(error instanceof Error ? error.message : String(error));
          }
        }
      }
      return true;
    };
  };
  return (text) => {
    if (closed || text === "") return;
    const rest = restOf(Buffer.from(text, "utf8"));
    if (waiting.length > 0) waiting.push(rest);
    else if (!rest(PATIENCE_MS)) {
      waiting.push(rest);
      setTimeout(goOn, PAUSE_MS);
    }
  };
}
