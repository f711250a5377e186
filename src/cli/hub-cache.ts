/** Where this person's cache of the Hugging Face hub lies, as huggingface_hub finds it. */

import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Io } from "./io.ts";

/** Undefined where there is none. */
export function hubCache({ env, cwd }: Pick<Io, "env" | "cwd">): string | undefined {
  const below = (folder: string | undefined, ...names: string[]): string | undefined =>
    folder === undefined || folder === "" ? undefined : join(folder, ...names);
  const named =
    below(env["HF_HUB_CACHE"]) ??
    below(env["HUGGINGFACE_HUB_CACHE"]) ??
    below(env["HF_HOME"], "hub") ??
    below(env["XDG_CACHE_HOME"], "huggingface", "hub") ??
    join(homedir(), ".cache", "huggingface", "hub");
  const folder = resolve(cwd, named);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : undefined;
}
