/** `vramscope cache`: what is kept from run to run, where it lies and how large it is; and taking it away. */

import { formatBytes } from "../base/bytes.ts";
import { message } from "../i18n/index.ts";
import { keptSnapshots, removeSnapshot, snapshotFolder } from "../python/package-snapshots.ts";
import { cacheFolder } from "./cache-folder.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = "[list | clear]";

export const cacheCommand: Command = {
  name: "cache",
  summary: "command_cache",
  usage: USAGE,
  arguments: [{ name: "list | clear", summary: "argument_cache" }],
  options: [],
  examples: [{ line: "vramscope cache clear", summary: "example_cache" }],
  run,
};

async function run({ parsed, locale, io }: CommandContext): Promise<ExitCode> {
  const [what = "list", extra] = parsed.positionals;
  if (extra !== undefined || (what !== "list" && what !== "clear")) {
    throw new UsageError("bad_cache_order", { value: extra ?? what, usage: `vramscope cache ${USAGE}` });
  }
  const cache = cacheFolder(io);
  if (cache === undefined) throw new UsageError("cache_no_home");
  const folder = snapshotFolder(cache);
  const kept = keptSnapshots(folder);
  if (what === "clear") for (const { name } of kept) removeSnapshot(folder, name);
  const bytes = kept.reduce((sum, one) => sum + one.bytes, 0);
  const args = { folder, count: String(kept.length), size: formatBytes(bytes) };
  io.out(`${message(locale, what === "clear" ? "cache_cleared" : "cache_total", args)}\n`);
  if (what === "list") {
    for (const one of kept) {
      io.out(`  ${one.name}  ${formatBytes(one.bytes).padStart(12)}  ${new Date(one.usedMs).toISOString()}\n`);
    }
  }
  return EXIT.ok;
}
