/** What a simulated program does not have, and a newcomer may expect: a word behind the error that ended it. */

import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { readScript } from "../estimate/configs/read-config.ts";
import type { MessageCode } from "../i18n/index.ts";
import { distributionOf } from "../packages/distribution-names.ts";
import { namedIn } from "../packages/requirement-files.ts";
import { normalName } from "../packages/requirement.ts";
import { rankEnvironment } from "../python/ranks.ts";
import { projectRoot } from "../python/project-root.ts";
import { ENGINE_PACKAGES } from "../serving/engine-packages.ts";
import type { ProgramFiles } from "./program-files.ts";

export interface Hint {
  readonly code: MessageCode;
  readonly args?: Readonly<Record<string, string>>;
}

/** Where a program lies and where it was started. */
type Place = Pick<ProgramFiles, "script" | "workingDirectory">;

const folderOf = ({ script, workingDirectory }: Place): string => dirname(resolve(workingDirectory, script));

/** What launchers such as torchrun set. */
const OF_LAUNCHERS = new Set(Object.keys(rankEnvironment({ rank: 0, worldSize: 2, localWorldSize: 2 })));

/** The variable of a launcher that a program missed, as Python and as torch.distributed say it. */
function missedVariable(line: string): string | undefined {
  const [, key, expected] =
    /^KeyError: '(\w+)'$|^ValueError: .*environment variable (\w+) expected, but not set/.exec(line) ?? [];
  const name = key ?? expected;
  return name !== undefined && OF_LAUNCHERS.has(name) ? name : undefined;
}

/** An error of a program that counted the GPUs and wanted more than one. Of devices PyTorch speaks where tensors lie on the CPU and a GPU. */
const ASKS_FOR_GPUS =
  /^[\w.]*(?:Error|Exception|Exit): .*\b(?:[2-9]|\d{2,}|two|four|eight|more|multiple|several)\b.*\bgpus\b/i;

/** What the iterator of a data loader no longer has. */
const NEXT_OF_LOADER = /^AttributeError: '_\w+DataLoaderIter' object has no attribute 'next'$/;

/** The module that is missing, as the error says it, and its package; of one that is not here an error may only say what it lacks. */
function missedModule(last: string, errorText: string): readonly (string | undefined)[] {
  const isAbsent = /^vramscope: it is imported at .*, and used here$/m.test(errorText);
  const lacked = isAbsent ? /^AttributeError: module '(([^'.]+)[^']*)' has no attribute/.exec(last) : null;
  return /^ModuleNotFoundError: No module named '(([^'.]+)[^']*)'/.exec(last) ?? lacked ?? [];
}

/** What an installed package was asked for and does not have. */
const NOT_IN_RELEASE = /^ImportError: cannot import name '(\w+)' from '([^'.]+)[^']*' \(\/site-packages\//;

/** What the error says itself where ours stands in for the package: how to get the whole one. */
const SHORT_FORM = /^vramscope: this is the built-in short form of /m;

/** The release that the project asks for may have it. */
function otherRelease(name: string, module: string, files: Place): Hint {
  const distribution = distributionOf(module);
  const wanted = normalName(distribution);
  for (const path of listsAbove(files)) {
    const found = named(path).requirements.find(({ name: one, specifiers }) => one === wanted && specifiers.length > 0);
    if (found === undefined) continue;
    const file = relative(files.workingDirectory, path);
    return { code: "hint_release_of_project", args: { name, distribution, file, requirement: found.text.trim() } };
  }
  return { code: "hint_other_release", args: { name, distribution } };
}

export function errorHint(errorText: string, files: Place): Hint | null {
  const own = (line: string) => !line.startsWith("vramscope: ");
  const last = errorText.trimEnd().split("\n").findLast(own) ?? "";
  const variable = missedVariable(last);
  if (variable !== undefined) return { code: "hint_launcher", args: { variable, script: files.script } };
  if (NEXT_OF_LOADER.test(last)) return { code: "hint_loader_next" };
  if (ASKS_FOR_GPUS.test(last)) return { code: "hint_gpus", args: { script: files.script } };
  const [, name, installed] = NOT_IN_RELEASE.exec(last) ?? [];
  if (name !== undefined && installed !== undefined) return otherRelease(name, installed, files);
  const [, whole, module] = missedModule(last, errorText);
  if (whole === undefined || module === undefined)
    return last.startsWith("FileNotFoundError: ") ? { code: "hint_file_not_found" } : null;
  if (last.endsWith("is not a package") && hidesPackage(module, files))
    return { code: "hint_hidden_package", args: { module } };
  const folder = whole.includes(".") ? ownFolder(module, files) : null;
  if (folder !== null) return { code: "hint_part_of_project", args: { module: whole, folder } };
  if (module === "torch") return { code: "hint_part_of_torch", args: { module: whole } };
  const engine = ENGINE_PACKAGES.get(module);
  if (engine !== undefined) return { code: "hint_engine", args: { module, engine } };
  if (whole !== module && !last.startsWith("AttributeError"))
    return SHORT_FORM.test(errorText) ? null : otherRelease(whole, module, files);
  const distribution = distributionOf(module);
  if (distribution === "tiktoken" || distribution === "sentencepiece") return { code: "hint_tokenizer" };
  if (isReadable(files))
    return { code: "hint_module_not_found_estimate", args: { distribution, script: files.script } };
  const file = requirementsOf(files);
  return file === null
    ? { code: "hint_module_not_found", args: { distribution } }
    : { code: "hint_module_not_found_project", args: { distribution, file } };
}

/** Whether the calls of a script say what it trains, so that an estimate needs none of its packages. */
function isReadable({ script, workingDirectory }: Place): boolean {
  try {
    return readScript(readFileSync(resolve(workingDirectory, script), "utf8"), null)?.model != null;
  } catch {
    return false;
  }
}

/** Whether a file of the program has the name of a package. */
function hidesPackage(name: string, files: Place): boolean {
  return statSync(join(folderOf(files), `${name}.py`), { throwIfNoEntry: false })?.isFile() === true;
}

/** The project's own folder of a package's name, as seen from where the user is. */
function ownFolder(name: string, files: Place): string | null {
  const { workingDirectory } = files;
  const beside = folderOf(files);
  const found = [beside, workingDirectory, projectRoot(beside)]
    .map((folder) => join(folder, name))
    .find((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory());
  return found === undefined ? null : relative(workingDirectory, found) || ".";
}

/** Files in which a project names its packages, the one that says most first. */
const LISTS = ["requirements.txt", "pyproject.toml"];

function named(path: string): ReturnType<typeof namedIn> {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return namedIn(path, isFile ? readFileSync(path, "utf8") : "");
}

/** Where files that name a project's packages would lie, from the script's folder up to the project's root. */
function listsAbove(files: Place): readonly string[] {
  const from = folderOf(files);
  const root = projectRoot(from);
  const found: string[] = [];
  for (let folder = from; ; folder = dirname(folder)) {
    found.push(...LISTS.map((name) => join(folder, name)));
    if (folder === root || folder === dirname(folder)) return found;
  }
}

/** The nearest file that names a project's packages, as seen from where the user is. */
function requirementsOf(files: Place): string | null {
  const found = listsAbove(files).find((path) => {
    const { requirements, files: others } = named(path);
    return requirements.length + others.length > 0;
  });
  return found === undefined ? null : relative(files.workingDirectory, found);
}
