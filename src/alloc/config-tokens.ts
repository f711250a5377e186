/** Words and marks of an allocator configuration: `name:value,name:[key:value,key:value]`, blanks do not count. */

import { AllocConfError } from "./config-error.ts";

const MARKS = ",:[]";

export class TokenStream {
  private readonly tokens: readonly string[];
  private at = 0;

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  get atEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  get peek(): string {
    return this.tokens[this.at] ?? "";
  }

  /** Takes `mark` if it comes next. */
  skip(mark: string): boolean {
    if (this.peek !== mark) return false;
    this.at++;
    return true;
  }

  expect(mark: string, after: string): void {
    if (!this.skip(mark))
      throw new AllocConfError("alloc-conf-syntax", { found: this.peek, expected: `"${mark}" after "${after}"` });
  }

  word(expected: string): string {
    const token = this.peek;
    if (token === "" || MARKS.includes(token))
      throw new AllocConfError("alloc-conf-syntax", { found: token, expected });
    this.at++;
    return token;
  }

  value(option: string): string {
    return this.word(`a value of "${option}"`);
  }

  /** `[key:value,…]` */
  list(option: string): [string, string][] {
    const pairs: [string, string][] = [];
    this.expect("[", option);
    while (!this.skip("]")) {
      const key = this.word(`a key in the list of "${option}"`);
      this.expect(":", key);
      pairs.push([key, this.word(`a value of "${key}" in the list of "${option}"`)]);
      if (this.peek !== "]") this.expect(",", key);
    }
    return pairs;
  }
}

export function tokenize(text: string): TokenStream {
  return new TokenStream(text.replaceAll(" ", "").match(/[,:[\]]|[^,:[\]]+/g) ?? []);
}
