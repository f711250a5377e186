/** What a worker that breaks down says of it. */

/** An uncaught Pyodide error can carry megabytes of runtime source. */
const LONGEST_TEXT = 4000;

export function failureText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.slice(0, LONGEST_TEXT);
}
