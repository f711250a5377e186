/** The one error of a wrong allocator configuration: data first, English words for programs that print it as is. */

export type AllocConfErrorCode =
  | "alloc-conf-unknown-option"
  | "alloc-conf-option-too-new"
  | "alloc-conf-option-removed"
  | "alloc-conf-bad-value"
  | "alloc-conf-syntax";

type Args = Readonly<Record<string, string>>;

const WORDS: Record<AllocConfErrorCode, (args: Args) => string> = {
  "alloc-conf-unknown-option": ({ option, nearest, torch }) =>
    `allocator option "${option}" is not known to PyTorch ${torch}${nearest === "" ? "" : `; did you mean "${nearest}"?`}`,
  "alloc-conf-option-too-new": ({ option, since, torch }) =>
    `allocator option "${option}" exists since PyTorch ${since}, not in ${torch}`,
  "alloc-conf-option-removed": ({ option, until, torch }) =>
    `allocator option "${option}" was removed in PyTorch ${until}, so ${torch} refuses it`,
  "alloc-conf-bad-value": ({ option, value, expected }) =>
    `allocator option "${option}" cannot be "${value}"; expected ${expected}`,
  "alloc-conf-syntax": ({ found, expected }) =>
    `allocator configuration: expected ${expected}, found ${found === "" ? "the end of the text" : `"${found}"`}`,
};

export class AllocConfError extends Error {
  override readonly name = "AllocConfError";
  readonly code: AllocConfErrorCode;
  readonly args: Args;

  constructor(code: AllocConfErrorCode, args: Args) {
    super(WORDS[code](args));
    this.code = code;
    this.args = args;
  }
}
