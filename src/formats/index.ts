/**
 * Foreign files: recordings of any kind (`openFile`), memory snapshots of PyTorch, headers and configurations of models, read without
 * running anything that is in them.
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
export { GGML_TYPES, ggmlBytes, ggmlType, ggmlTypeNamed, type GgmlType } from "./ggml-types.ts";
export { ggufParts, joinGguf, readGguf, type GgufHeader, type GgufValue } from "./gguf.ts";
export { checkModelConfig, readModelConfig, type ModelConfig } from "./model-config.ts";
export { ModelFileError, type ModelFileErrorCode } from "./model-file-error.ts";
export { readModelFile, readModelFolder, type ModelFiles, type ModelFolder } from "./model-folder.ts";
export { byDtype, type DtypeShare, type ModelTensor } from "./model-tensor.ts";
export { bytesReader, type RangeReader } from "./range-reader.ts";
export { readSafetensors, readSafetensorsIndex, type SafetensorsHeader, type SafetensorsIndex } from "./safetensors.ts";
export { FOREIGN_FORMATS } from "./foreign-formats.ts";
export type { ForeignFormat, OpenedFile, OpenOptions } from "./foreign-format.ts";
export { findFormat, openFile, sniffFormat, type OpenFileOptions } from "./open-file.ts";
