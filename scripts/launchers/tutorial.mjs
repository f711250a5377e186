/** The programs of a tutorial's page: its blocks of code, joined up to each that runs as a script. */

/**
 * @param {string} text a page in reStructuredText
 * @returns {string[]} where no block asks for `__main__`, each that begins with an import is a program
 */
export function programsOf(text) {
  const blocks = blocksOf(text);
  const isMain = (block) => block.includes("__main__");
  const imports = (block) => /^(?:import|from) /m.test(block);
  if (!blocks.some(isMain)) return blocks.filter(imports);
  const programs = [];
  let begun = "";
  for (const block of blocks) {
    if (begun === "" && !imports(block)) continue;
    begun += `${block}\n`;
    if (!isMain(block)) continue;
    programs.push(begun);
    begun = "";
  }
  return programs;
}

function blocksOf(text) {
  const lines = text.split("\n");
  const blocks = [];
  for (let i = 0; i < lines.length; i++) {
    if (!/^\.\. code(?:-block)?:: python\s*$|^::\s*$/.test(lines[i])) continue;
    const block = [];
    while (i + 1 < lines.length && /^(?:\s|$)/.test(lines[i + 1])) block.push(lines[++i]);
    const indent = Math.min(...block.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
    blocks.push(
      `${block
        .map((line) => line.slice(indent))
        .join("\n")
        .trim()}\n`,
    );
  }
  return blocks;
}
