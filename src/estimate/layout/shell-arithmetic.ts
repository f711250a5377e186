/** What a shell would put in the place of an option's value: `$(expr 16 / $n)`, `$((16 / n))`, `$n`. */

const SUM = /^\$(?:\(expr\s+(.+)\)|\(\((.+)\)\))$/s;
const OPERATION = /^(\S+)\s*([+*/-])\s*(\S+)$/;

/** The value; null for what is known only where the script runs. */
export function shellValue(text: string, variables: ReadonlyMap<string, number>): string | null {
  if (!text.includes("$")) return text;
  const found = SUM.exec(text.trim());
  const inside = (found?.[1] ?? found?.[2] ?? text).trim();
  const parts = found === null ? null : OPERATION.exec(inside.replace("\\*", "*"));
  const term = (word: string): number | null => {
    const name = word.replace(/^\$\{?(\w+)\}?$/, "$1");
    return /^\d{1,9}$/.test(name) ? Number(name) : (variables.get(name) ?? null);
  };
  if (parts === null) {
    const value = term(inside);
    return value === null ? null : String(value);
  }
  const [a, b] = [term(parts[1]!), term(parts[3]!)];
  if (a === null || b === null || (parts[2] === "/" && b === 0)) return null;
  const sums = { "+": a + b, "-": a - b, "*": a * b, "/": Math.trunc(a / b) };
  return String(sums[parts[2] as keyof typeof sums]);
}
