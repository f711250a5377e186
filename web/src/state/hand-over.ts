/** A program that one page gives to the playground. */

import { signal } from "@preact/signals";

export interface HandedProgram {
  /** Name of the script, with `.py`. */
  readonly name: string;
  readonly source: string;
  readonly gpu: string | null;
  readonly torch: string | null;
  /** Other files that the program reads, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** Set by the giver before it shows the playground, which takes it and sets it to null. */
export const handedProgram = signal<HandedProgram | null>(null);
