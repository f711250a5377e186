/** What a reason says of the recorder: another name for the same bytes, another order of one operator's results, or other operators that ask. */
export type RecorderReason = {
  readonly why: string;
  readonly cases: Readonly<Record<string, number>>;
} & (
  | { readonly recorded: string; readonly here: string }
  | { readonly operator: string }
  | { readonly recordedInstead: readonly string[]; readonly hereInstead: readonly string[] }
);

export function unexplained(
  id: string,
  want: readonly string[],
  have: readonly string[],
  reasons: readonly RecorderReason[],
): { readonly at: number; readonly here: number; readonly wrong: string | null };
