/** A number of bytes: GiB to read, exact bytes on hover, and a mark where it is not simulated. */

import { exactly, gib, roughly } from "./words.ts";

export function Figure({ bytes, about = false }: { readonly bytes: number; readonly about?: boolean }) {
  return about ? (
    <span class="num">≈ {roughly(bytes)}</span>
  ) : (
    <span class="num" title={exactly(bytes)}>
      {gib(bytes)}
    </span>
  );
}
