/** What a browser offers to a worker beyond the names that ambient.ts takes away: listeners for messages to it. */

/** Irreversible. Whoever must answer later keeps the function before. */
export function closeBrowser(): void {
  for (const name of ["onmessage", "onmessageerror", "onerror", "onunhandledrejection"])
    Reflect.set(globalThis, name, null);
}
