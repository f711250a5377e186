/** Memory snapshots of PyTorch (`torch.cuda.memory._dump_snapshot`), 1.13 to 2.14, as a file to open. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import type { ForeignFormat } from "./foreign-format.ts";
import { SnapshotError } from "./snapshot-error.ts";
import { SnapshotRows } from "./snapshot-rows.ts";
import { readSnapshotParts, type SnapshotParts } from "./snapshot.ts";
import { snapshotTrace } from "./snapshot-trace.ts";
import type { RangeReader } from "./range-reader.ts";

/** A pickle of protocol 2 or later says so first; one of protocol 0 or 1 begins with a dictionary or a list. */
const PROTO = 0x80;
const NEWEST_PROTOCOL = 5;
const WORDS = ["device_traces", "segment_type", "total_size"];
/** A dictionary or a list in protocol 0 or 1. */
const OLD_BEGINNING = /^(?:\([dl]|[}\]][q(])/;

function partsOf(file: RangeReader): { readonly parts: SnapshotParts; readonly entries: SnapshotRows } {
  try {
    return readSnapshotParts(file, () => new SnapshotRows());
  } catch (error) {
    if (error instanceof SnapshotError)
      throw new DiagnosticError(diagnostic(error.code.replaceAll("-", "_"), error.args));
    throw error;
  }
}

export const memorySnapshotFile: ForeignFormat = {
  id: "pytorch-snapshot",
  title: "PyTorch memory snapshot",
  extensions: ["pickle", "pkl"],
  sniff: (head, text) => {
    const isPickle = head[0] === PROTO && head[1]! <= NEWEST_PROTOCOL;
    if (WORDS.some((word) => text.includes(word)) && (isPickle || OLD_BEGINNING.test(text))) return 1;
    return isPickle ? 0.5 : 0;
  },
  read: (file, options) => {
    const { parts, entries } = partsOf(file);
    return snapshotTrace(parts, entries, options, memorySnapshotFile.id);
  },
};
