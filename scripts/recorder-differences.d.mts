/** What a reason says of the recorder: another name for the same bytes, or another order of one operator's results. */
export type RecorderReason = {
  readonly why: string;
  readonly cases: Readonly<Record<string, number>>;
} & ({ readonly recorded: string; readonly here: string } | { readonly operator: string });

export function unexplained(
  id: string,
  want: readonly string[],
  have: readonly string[],
  reasons: readonly RecorderReason[],
): { readonly at: number; readonly wrong: string | null };
