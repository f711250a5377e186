/** What our own exports write beside an entry, read back: operator, module, tensor. Texts of others are notes. */

/** As PyTorch's dtypes are called. */
const TENSOR = /(?:^| )([a-z]\w{2,20})\[((?:\d{1,15}(?:, \d{1,15}){0,15})?)\]$/;
const OPERATOR = /^(aten::\w+)(?: |$)/;

export interface EntryMetadata {
  readonly operator: string | null;
  readonly tensor: { readonly dtype: string; readonly shape: readonly number[] } | null;
  /** What remains. */
  readonly rest: string;
}

export function entryMetadata(text: string): EntryMetadata {
  const operator = OPERATOR.exec(text)?.[1] ?? null;
  const tensor = TENSOR.exec(text);
  const rest = text.slice(operator?.length ?? 0, tensor?.index ?? text.length).trim();
  return {
    operator,
    tensor:
      tensor === null ? null : { dtype: tensor[1]!, shape: tensor[2] === "" ? [] : tensor[2]!.split(", ").map(Number) },
    rest,
  };
}
