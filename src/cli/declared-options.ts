/** Whether a program's own text declares an option: then the word after the program is the program's, not ours. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where to look: in the program's own file, or in it and in the Python files of its folder. */
export type Reach = "script" | "folder";

/** The program as it was named: a script's path, or a module's dotted name. */
export interface NamedProgram {
  readonly name: string;
  readonly isModule: boolean;
}

/** Options may be declared by a module beside the script, but no more than this is read to find out. */
const MAX_FILES = 400;
const MAX_FILE_BYTES = 1 << 20;
const MAX_DEPTH = 4;

/** Folders that hold no text of the program. */
const NOT_ITS_OWN = /^\.|^(?:node_modules|site-packages|__pycache__)$/;

/**
 * True where the text has the option as a string (`add_argument("--data")`, a click option) or, as the fields of a data
 * class that become options, a typed name at the beginning of a line (`data: str`).
 */
export function declaresOption(program: NamedProgram, cwd: string, option: string, reach: Reach): boolean {
  const pattern = declarationOf(option);
  const file = fileOf(program, cwd);
  if (pattern.test(textOf(file))) return true;
  return reach === "folder" && pythonFilesBelow(dirname(file)).some((path) => pattern.test(textOf(path)));
}

function declarationOf(option: string): RegExp {
  const dashes = /^-*/.exec(option)![0];
  const name = option.slice(dashes.length).replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const plain = name.replaceAll("-", "_");
  return new RegExp(`["']${dashes}(?:${name}|${plain})["']|^\\s+${plain}\\s*:\\s*[A-Z a-z]`, "m");
}

function fileOf({ name, isModule }: NamedProgram, cwd: string): string {
  if (!isModule) return join(cwd, name);
  const path = join(cwd, ...name.split("."));
  return isDirectory(path) ? join(path, "__main__.py") : `${path}.py`;
}

function textOf(path: string): string {
  try {
    return statSync(path).size > MAX_FILE_BYTES ? "" : readFileSync(path, "utf8");
  } catch {
    // The command says what is wrong with a program that cannot be read.
    return "";
  }
}

function pythonFilesBelow(root: string): readonly string[] {
  const found: string[] = [];
  let level = [root];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      for (const path of entriesOf(folder)) {
        if (path.endsWith(".py")) found.push(path);
        else if (isDirectory(path)) next.push(path);
        if (found.length >= MAX_FILES) return found;
      }
    }
    level = next;
  }
  return found;
}

function entriesOf(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder);
    if (names.includes("pyvenv.cfg")) return [];
    return names.filter((name) => !NOT_ITS_OWN.test(name)).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
