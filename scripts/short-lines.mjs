// Writes the catalogue's lines shorter into bundles: words of JSON that come back often stand once in a list that all its parts share, and
// a letter for each in the lines, which are whole again as soon as the module is loaded. Who confirms a figure is left out where no answer
// says it. The sources stay what a reader and a reviewer can read.
import { readFileSync } from "node:fs";

const PARTS = ["writers", "others", "pictures-sound"];
const FILE = /src\/models\/catalogue-(?:writers|others|pictures-sound)\.ts$/;
const LINE = /^ {2}`(.*)`,$/gm;
/** A name or a text with what stands around it. */
const WORD = /,?"[^"\\]+"[:,]?/g;
/** Letters of two bytes that no line has itself. More of them would make the page larger once it is compressed. */
const FIRST = 0x100;
const LETTERS = 0x100;
/** Where the shared words are imported from. */
export const WORDS = "catalogue-words";

/** What answers read of a line: all but the proofs of its figures, which tests hold; those of one that agrees by its size alone are said. */
export function read(line) {
  const { source: _, published: __, beside: ___, stated, by, ...rest } = JSON.parse(line);
  return JSON.stringify(rest.unsure === true ? { ...rest, stated, by } : rest);
}

/** The words of lines that are shorter as a letter. */
export function wordsOf(lines) {
  if (lines.some((line) => /[\u0100-\u01ff]/.test(line))) throw new Error("a line has a letter that stands for a word");
  const counts = new Map();
  for (const line of lines) for (const [word] of line.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const saved = ([word, count]) => (word.length - 2) * count - word.length - 1;
  return [...counts]
    .filter((entry) => saved(entry) > 0)
    .sort((a, b) => saved(b) - saved(a))
    .slice(0, LETTERS)
    .map(([word]) => word)
    .sort();
}

/** A module that makes lines whole. */
export const wordsModule = (words) =>
  [
    `const words = \`${words.join("\n")}\`.split("\\n");`,
    `export const whole = (line) => line.replace(/[\\u0100-\\u01ff]/g, (letter) => words[letter.charCodeAt(0) - ${FIRST}]);`,
  ].join("\n");

/** A module that exports under `name` what `lines` are. */
export function shortModule(name, lines, words) {
  const letters = new Map(words.map((word, index) => [word, String.fromCharCode(FIRST + index)]));
  const short = lines.map((line) => line.replace(WORD, (word) => letters.get(word) ?? word));
  return `import { whole } from "${WORDS}";\nexport const ${name} = \`${short.join("\n")}\`.split("\\n").map(whole);`;
}

const linesOf = (code) => [...code.matchAll(LINE)].map(([, line]) => read(line));

export function shortLines() {
  const sources = PARTS.map((part) => new URL(`../src/models/catalogue-${part}.ts`, import.meta.url));
  const words = wordsOf(sources.flatMap((source) => linesOf(readFileSync(source, "utf8"))));
  return {
    name: "short-lines",
    enforce: "pre",
    resolveId: (id) => (id === WORDS ? `\0${WORDS}` : null),
    load: (id) => (id === `\0${WORDS}` ? wordsModule(words) : null),
    transform(code, id) {
      if (!FILE.test(id)) return null;
      return { code: shortModule(/^export const (\w+)/m.exec(code)[1], linesOf(code), words), map: null };
    },
  };
}
