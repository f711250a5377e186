/** What a rank asks of the ranks that run beside it; a rank that runs alone is told so. */

// oxlint-disable-next-line typescript/no-explicit-any
type Functions = Record<string, (...args: any[]) => unknown>;

export function rankFunctions(): Functions {
  return { ranksTogether: () => false };
}
