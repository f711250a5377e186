/**
 * Configurations of published models: facts only, one line of JSON per model. `parameters` is what the transformers class counts,
 * tied weights once; `published` is given where the checkpoint's own figure differs; `also` are ids with the same configuration;
 * `stated` and `by` say who confirms a config that was put together from descriptions (`recalled`: known by heart, not read again),
 * and `unsure` that it is by its size alone.
 */

import { OTHERS } from "./catalogue-others.ts";
import { WITH_SENSES } from "./catalogue-pictures-sound.ts";
import { WRITERS } from "./catalogue-writers.ts";

/** In order of the alphabet. */
export const CATALOGUE_LINES: readonly string[] = [...WRITERS, ...OTHERS, ...WITH_SENSES].toSorted((a, b) =>
  a.toLowerCase() < b.toLowerCase() ? -1 : 1,
);
