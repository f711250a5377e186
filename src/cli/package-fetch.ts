/** Fetches packages that go together into a folder, as `vramscope packages add` and `estimate --with` do. */

import { message } from "../i18n/index.ts";
import { Gatherer, type Wheel } from "../packages/gather.ts";
import { PackageIndex, shownAddress } from "../packages/index-client.ts";
import { parseRequirement, type Requirement } from "../packages/requirement.ts";
import type { LeftOut } from "../packages/resolve.ts";
import { valueOf, type CommandContext } from "./command.ts";
import { onDisk } from "./package-index.ts";
import { addPackages, UNPACK } from "./package-store.ts";
import { indexesOf } from "./pip-configuration.ts";
import { proxiedFetch } from "./proxied-fetch.ts";
import { UsageError } from "./usage-error.ts";

/** @throws {UsageError} where a text is no requirement */
export const typedRequirements = (texts: readonly string[]): Requirement[] =>
  texts.map((text) => {
    const one = parseRequirement(text);
    if (one === null) throw new UsageError("packages_bad_requirement", { text });
    return one;
  });

/** @param kept where what the index said is kept */
export async function fetchPackages(
  roots: readonly Requirement[],
  folder: string,
  kept: string,
  { parsed, locale, io }: Pick<CommandContext, "parsed" | "locale" | "io">,
): Promise<{ readonly ready: readonly Wheel[]; readonly without: ReadonlyMap<string, LeftOut> }> {
  const index = new PackageIndex({
    indexes: indexesOf(valueOf(parsed, "index"), io),
    ...onDisk(kept),
    isOffline: parsed.flags.has("offline"),
    signal: io.signal,
    ask: proxiedFetch(io),
  });
  const gatherer = new Gatherer(index, UNPACK);
  const { ready, without } = await gatherer.fetch(await gatherer.plan(roots), ({ file, url }) =>
    io.err(`${message(locale, "packages_fetching", { file, address: shownAddress(new URL(url).origin) })}\n`),
  );
  await addPackages(folder, ready);
  return { ready, without };
}
