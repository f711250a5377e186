/** Options of commands that fetch packages: from where, and whether at all. */

import { DEFAULT_INDEX } from "../packages/default-index.ts";
import type { OptionSpec } from "./command.ts";

export const INDEX_OPTIONS: readonly OptionSpec[] = [
  { name: "index", value: "URL", summary: "option_packages_index", summaryArgs: { index: DEFAULT_INDEX } },
  { name: "offline", summary: "option_packages_offline" },
];
