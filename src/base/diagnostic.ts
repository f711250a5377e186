/** Diagnostics as data: a code and its arguments; words are found late, in the reader's language. */

export type DiagnosticArgs = Readonly<Record<string, string | number>>;

export interface Diagnostic<Code extends string = string> {
  readonly code: Code;
  readonly args: DiagnosticArgs;
}

export function diagnostic<Code extends string>(code: Code, args: DiagnosticArgs = {}): Diagnostic<Code> {
  return { code, args };
}

/** A result, or the diagnostic that says why there is none. */
export type Outcome<T, Code extends string = string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Diagnostic<Code> };

export function success<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function failure<Code extends string>(
  code: Code,
  args: DiagnosticArgs = {},
): { readonly ok: false; readonly error: Diagnostic<Code> } {
  return { ok: false, error: { code, args } };
}

/** Carries a {@link Diagnostic} through code that can only throw. */
export class DiagnosticError extends Error {
  override readonly name = "DiagnosticError";
  readonly diagnostic: Diagnostic;

  constructor(error: Diagnostic) {
    super(`${error.code} ${JSON.stringify(error.args)}`);
    this.diagnostic = error;
  }
}
