/** The words of a line as a shell takes them apart. */
export const wordsOf = (line) =>
  [...line.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll(/"([^"]*)"/g, "$1"));
