/** The last run of the playground, for pages that lay it over something else. */

import { signal } from "@preact/signals";
import type { Trace } from "../../../src/trace/model.ts";

export const lastRun = signal<{ readonly name: string; readonly trace: Trace } | null>(null);
