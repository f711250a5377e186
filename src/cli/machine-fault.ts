/** What a machine lacks or refuses whoever asks: no fault of the words on the command line, and none of ours. */

import { UsageError } from "./usage-error.ts";

const CODES = new Set(["ENOSPC", "EDQUOT", "EIO", "EFBIG", "ENOMEM", "EMFILE", "ENFILE", "ELOOP", "EAGAIN", "EROFS"]);

export const isMachineCode = (code: unknown): boolean => CODES.has(String(code));

/** A file could not be read: an error that says which, or the machine's own, which the command tells as such. */
export function readProblem(error: unknown, typed: string): Error {
  if (!(error instanceof Error)) return new UsageError("cannot_read", { path: typed, reason: String(error) });
  const { code } = error as NodeJS.ErrnoException;
  if (isMachineCode(code)) return error;
  if (code === "ENOENT") return new UsageError("script_not_found", { path: typed });
  if (code === "EISDIR") return new UsageError("not_a_file", { path: typed });
  // `EACCES: permission denied, open '/a/b'`: what was refused, without what the reader knows
  const [, reason = error.message] = /^[A-Z]+: ([^,]+),/.exec(error.message) ?? [];
  return new UsageError("cannot_read", { path: typed, reason });
}
