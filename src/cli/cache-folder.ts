/** Where this user's cache lies. */

import { join } from "node:path";
import type { Io } from "./io.ts";

/** `$VRAMSCOPE_CACHE`, else `vramscope` in what is usual; undefined where there is no home, or `VRAMSCOPE_CACHE=off`. */
export function cacheFolder({ env }: Io): string | undefined {
  const own = env["VRAMSCOPE_CACHE"];
  if (own === "off") return undefined;
  if (own !== undefined && own !== "") return own;
  const home = env["HOME"] || env["USERPROFILE"];
  const base = env["XDG_CACHE_HOME"] || env["LOCALAPPDATA"] || (home ? join(home, ".cache") : "");
  return base === "" ? undefined : join(base, "vramscope");
}
