// A trace's allocations as the recorder writes them: requested bytes and the operator that asked, oldest first.

/** What the recorder calls memory that no operator returns, by the beginning of its note. */
const LIBRARY_NAMES = [["cublas_workspace", "cublas workspace"]];

/** [{bytes, operator}] */
export function allocationsOf(trace) {
  return trace.blocks.map((block) => ({
    bytes: block.requestedBytes,
    operator: LIBRARY_NAMES.find(([note]) => block.note?.startsWith(note))?.[1] ?? trace.ops[block.op] ?? "",
  }));
}
