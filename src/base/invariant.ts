/** An assertion for our own mistakes: what it reports is a bug of ours, never the user's. */

export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** Throws {@link InvariantError} with `message` when `condition` is false. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
