/** Which ranks a program's text tells apart: numbers beside names that come from a rank. */

/** `all`: ranks choose from a list or a table, so that any of them may differ. */
export type NamedRanks = readonly number[] | "all";

const FROM_RANK = /rank|stage|coord/i;
const ASSIGNED = /^\s*([\w, ]+?)\s*=(?!=)(.*)$/;

const COMPARED =
  /rank["'\])(\s]*(?:[=!]=|[<>%]|(?:not )?in\b)|not [\w.]*rank|main_process|is_main|is_master|master_process/i;

/** Whether the text compares a rank with something, so that there are two kinds of ranks most likely. */
export const comparesRanks = (source: string): boolean => COMPARED.test(source.replace(/#.*$/gm, ""));

/** @param source the program's text; what other files do is not seen */
export function namedRanks(source: string, worldSize: number): NamedRanks {
  const lines = source.split("\n").map((line) => line.replace(/#.*$/, ""));
  const names = new Set<string>();
  const mentions = (text: string): boolean =>
    FROM_RANK.test(text) || (text.match(/[A-Za-z_]\w*/g) ?? []).some((word) => names.has(word));
  // a name that was made from another one that was made from a rank
  for (let before = -1; before !== names.size;) {
    before = names.size;
    for (const line of lines) {
      const [, targets, value] = ASSIGNED.exec(line) ?? [];
      if (targets === undefined || !mentions(value!)) continue;
      for (const name of targets.split(",")) names.add(name.trim());
    }
  }
  const found = new Set<number>();
  for (const line of lines.filter(mentions)) {
    // a call's result in brackets is a dictionary's key or a list's index as well
    const indexed = [...line.matchAll(/[\w)\]]\[([^[\]"']+)\]/g)].some(([, index]) => mentions(index!));
    if (indexed) return "all";
    for (const [text] of line.matchAll(/(?<![\w.])\d+(?![\w.])/g))
      if (Number(text) < worldSize) found.add(Number(text));
  }
  return [...found];
}
