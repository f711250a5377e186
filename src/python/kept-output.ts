/** What is kept of a program's output: the end of each stream. A program may print without bounds, and whoever follows it hears all. */

import type { OutputStream } from "./run-types.ts";

/** Characters of each stream that are kept at least; at most twice as many lie in memory. */
export const KEPT_CHARACTERS = 2 ** 22;

/** The end of one stream. */
class Tail {
  readonly #most: number;
  #pieces: string[] = [];
  #length = 0;
  #whole = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(text: string): void {
    this.#whole += text.length;
    this.#pieces.push(text.length > this.#most ? cut(text, this.#most) : text);
    this.#length += this.#pieces.at(-1)!.length;
    if (this.#length > this.#most * 2) this.#shorten();
  }

  #shorten(): void {
    const text = cut(this.#pieces.join(""), this.#most);
    this.#pieces = [text];
    this.#length = text.length;
  }

  /** The text, and how many characters before it are not kept. */
  get kept(): { readonly text: string; readonly leftOut: number } {
    if (this.#length > this.#most) this.#shorten();
    const text = this.#pieces.join("");
    return { text, leftOut: this.#whole - text.length };
  }
}

/** The last characters of a text, as a copy that does not keep the text; half a character is none. */
function cut(text: string, most: number): string {
  const end = text.slice(text.length - most).replace(/^[\uDC00-\uDFFF]/, "");
  return structuredClone(end);
}

export interface KeptOutput {
  add(stream: OutputStream, text: string): void;
  /** As fields of a result. */
  readonly result: {
    readonly stdout: string;
    readonly stderr: string;
    readonly outputLeftOut: Readonly<Record<OutputStream, number>>;
  };
}

/** @param most characters that are kept of each stream */
export function keptOutput(most: number = KEPT_CHARACTERS): KeptOutput {
  const tails = { stdout: new Tail(most), stderr: new Tail(most) };
  return {
    add: (stream, text) => tails[stream].add(text),
    get result() {
      const { stdout, stderr } = { stdout: tails.stdout.kept, stderr: tails.stderr.kept };
      return {
        stdout: stdout.text,
        stderr: stderr.text,
        outputLeftOut: { stdout: stdout.leftOut, stderr: stderr.leftOut },
      };
    },
  };
}
