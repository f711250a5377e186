/**
 * Foreign files: PyTorch's memory snapshots, read without running anything that is in them.
 *
 * @example
 * ```js
 * import { readFileSync } from "node:fs";
 * import { deviceHistory, readSnapshot } from "vramscope/formats";
 * import { replayHistory } from "vramscope/engine";
 *
 * const snapshot = readSnapshot(readFileSync("snapshot.pickle"));
 * const { allocs, matching } = replayHistory(deviceHistory(snapshot, 0), { torch: "2.11" });
 * console.log(`${matching} of ${allocs} addresses as recorded`);
 * ```
 */

export type { SnapshotFrame, FrameLists } from "./snapshot-columns.ts";
export { SnapshotError } from "./snapshot-error.ts";
export type { SnapshotErrorCode } from "./snapshot-error.ts";
export { actionName, deviceHistory, readSnapshot } from "./snapshot.ts";
export type { DeviceTrace, MemorySnapshot, SnapshotAnnotation, SnapshotBlock, SnapshotSegment } from "./snapshot.ts";
