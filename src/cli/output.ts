/**
 * Writing to the standard streams so that nothing is lost: synchronously, so that output keeps its order and is complete
 * whenever the process ends, and patiently, because a pipe may be full for a while.
 */

import { writeSync } from "node:fs";

export type WriteSync = (fd: number, data: Uint8Array, offset: number, length: number) => number;

const PAUSE_MS = 5;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

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
  return (text) => {
    if (closed || text === "") return;
    const data = Buffer.from(text, "utf8");
    let offset = 0;
    while (offset < data.length) {
      try {
        offset += write(fd, data, offset, data.length - offset);
      } catch (error) {
        const code = codeOf(error);
        if (code === "EAGAIN" || code === "EINTR") Atomics.wait(sleeper, 0, 0, PAUSE_MS);
        else {
          closed = true;
          if (code !== "EPIPE" && code !== "EOF") onFailure(error instanceof Error ? error.message : String(error));
          return;
        }
      }
    }
  };
}
