// Writes the catalogue's lines shorter into bundles: words of JSON that come back often stand once in a list, and a letter for each in
// the lines, which are whole again as soon as the module is loaded. The sources stay what a reader and a reviewer can read.
const FILES = /src\/models\/catalogue-(?:writers|others|pictures-sound)\.ts$/;
const LINE = /^ {2}`(.*)`,$/gm;
/** A name or a text with what stands around it. */
const WORD = /,?"[^"\\]+"[:,]?/g;
/** Letters of two bytes that no line has itself. */
const FIRST = 0x100;
const LETTERS = 0x800 - FIRST;

/** The words that stand once, and the lines with their letters. */
export function shortened(lines) {
  const counts = new Map();
  for (const line of lines) for (const [word] of line.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const saved = ([word, count]) => (word.length - 2) * count - word.length - 1;
  const words = [...counts]
    .filter((entry) => saved(entry) > 0)
    .sort((a, b) => saved(b) - saved(a))
    .slice(0, LETTERS)
    .map(([word]) => word);
  const letters = new Map(words.map((word, index) => [word, String.fromCharCode(FIRST + index)]));
  return { words, short: lines.map((line) => line.replace(WORD, (word) => letters.get(word) ?? word)) };
}

/** A module that exports under `name` what `lines` are. */
export function shortModule(name, lines) {
  if (lines.some((line) => /[\u0100-\u07ff]/.test(line)))
    throw new Error(`${name}: a line has a letter that stands for a word`);
  const { words, short } = shortened(lines);
  return [
    `const words = \`${words.join("\n")}\`.split("\\n");`,
    `export const ${name} = \`${short.join("\n")}\`.split("\\n")`,
    `.map((line) => line.replace(/[\\u0100-\\u07ff]/g, (letter) => words[letter.charCodeAt(0) - ${FIRST}]));`,
  ].join("\n");
}

export function shortLines() {
  return {
    name: "short-lines",
    enforce: "pre",
    transform(code, id) {
      if (!FILES.test(id)) return null;
      const name = /^export const (\w+)/m.exec(code)[1];
      return {
        code: shortModule(
          name,
          [...code.matchAll(LINE)].map(([, line]) => line),
        ),
        map: null,
      };
    },
  };
}
