/** `vramscope packages`: fetches packages from an index into the cache, where runs without an environment of their own find them. */

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { formatBytes } from "../base/bytes.ts";
import { message } from "../i18n/index.ts";
import { namedIn } from "../packages/requirement-files.ts";
import { normalName, type Requirement } from "../packages/requirement.ts";
import { cacheFolder } from "./cache-folder.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { INDEX_OPTIONS } from "./index-options.ts";
import type { Io } from "./io.ts";
import { fetchPackages, typedRequirements } from "./package-fetch.ts";
import { addedPackages, packageFolder, removePackage, sitePackagesOf } from "./package-store.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = "[list | add | remove] [REQUIREMENT...]";
const DEEPEST_FILES = 10;

export const packagesCommand: Command = {
  name: "packages",
  summary: "command_packages",
  usage: USAGE,
  arguments: [
    { name: "list | add | remove", summary: "argument_packages" },
    { name: "REQUIREMENT", summary: "argument_packages_requirement" },
  ],
  options: [
    { name: "requirements", short: "r", value: "FILE", repeatable: true, summary: "option_packages_requirements" },
    ...INDEX_OPTIONS,
  ],
  examples: [
    { line: "vramscope packages add 'transformers==5.12.1' peft trl", summary: "example_packages_add" },
    { line: "vramscope packages add -r requirements.txt", summary: "example_packages_file" },
  ],
  run,
};

async function run(context: CommandContext): Promise<ExitCode> {
  const { parsed, io } = context;
  const [what = "list", ...words] = parsed.positionals;
  const cache = cacheFolder(io);
  if (cache === undefined) throw new UsageError("cache_no_home");
  const folder = packageFolder(cache);
  if (what === "add") return add(context, folder, words);
  if (what === "remove") return remove(context, folder, words);
  if (what === "list" && words.length === 0) return list(context, folder);
  throw new UsageError("packages_bad_order", { usage: `vramscope packages ${USAGE}` });
}

function list({ locale, io }: CommandContext, folder: string): ExitCode {
  const known = addedPackages(folder);
  const size = formatBytes([...known.values()].reduce((sum, { bytes }) => sum + bytes, 0));
  io.out(`${message(locale, "packages_total", { count: known.size, size, folder: sitePackagesOf(folder) })}\n`);
  for (const [name, { version, bytes }] of known) io.out(`  ${name} ${version}  ${formatBytes(bytes)}\n`);
  return EXIT.ok;
}

function remove({ locale, io }: CommandContext, folder: string, words: readonly string[]): ExitCode {
  if (words.length === 0) throw new UsageError("packages_nothing", { usage: `vramscope packages ${USAGE}` });
  const known = addedPackages(folder);
  const names = words.map(normalName);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) throw new UsageError("packages_not_added", { name: unknown });
  for (const name of names) {
    removePackage(folder, name);
    io.out(`${message(locale, "packages_removed", { name, version: known.get(name)!.version })}\n`);
  }
  return EXIT.ok;
}

async function add(context: CommandContext, folder: string, words: readonly string[]): Promise<ExitCode> {
  const { parsed, locale, io } = context;
  const roots = typedRequirements(words);
  const paths = parsed.values.get("requirements") ?? [];
  const ignored = paths.flatMap((path) => collect(path, io, roots).map((line) => ({ path, line })));
  if (roots.length === 0) {
    throw paths.length > 0
      ? new UsageError("packages_none_in", { path: paths.join(", ") })
      : new UsageError("packages_nothing", { usage: `vramscope packages ${USAGE}` });
  }
  for (const { path, line } of ignored) io.err(`${message(locale, "packages_line_ignored", { path, line })}\n`);
  const { ready, without } = await fetchPackages(roots, folder, folder, context);
  for (const { name, content } of ready) {
    const { metadata, compiled } = content;
    const code = compiled > 0 ? "packages_added_part" : "packages_added";
    io.out(`${message(locale, code, { name, version: metadata.version, count: compiled })}\n`);
  }
  for (const [name, why] of without) io.out(`${message(locale, LEFT_OUT[why], { name })}\n`);
  return EXIT.ok;
}

const LEFT_OUT = {
  "built-in": "packages_built_in",
  "no-wheel": "packages_left_out",
  unknown: "packages_not_on_index",
} as const;

/** Adds what a file names, and the files that it names, to `roots`; lines that name no package. */
function collect(path: string, io: Io, roots: Requirement[], depth = 0): readonly string[] {
  const at = resolve(io.cwd, path);
  let text: string;
  try {
    text = readFileSync(at, "utf8");
  } catch {
    throw new UsageError("packages_cannot_read", { path });
  }
  const { requirements, ignored, files } = namedIn(path, text);
  roots.push(...requirements);
  if (depth === DEEPEST_FILES) return ignored;
  return [...ignored, ...files.flatMap((file) => collect(resolve(dirname(at), file), io, roots, depth + 1))];
}
