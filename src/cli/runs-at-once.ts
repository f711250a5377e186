/** Which command lines run a program whatever else they ask for: its process starts before the command itself is loaded. */

const RUN_AT_ONCE: ReadonlySet<string> = new Set(["run"]);

/** @param args the words behind the program's name */
export const runsAtOnce = ([name, ...others]: readonly string[]): boolean =>
  name !== undefined && RUN_AT_ONCE.has(name) && !others.some((word) => word === "--help" || word === "-h");
