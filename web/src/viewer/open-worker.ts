/** The thread that reads a recording: piece by piece from the disk, so that a file of any size leaves the page free. */

import { diagnostic, DiagnosticError } from "../../../src/base/diagnostic.ts";
import { traceFacts } from "../../../src/exports/trace-facts.ts";
import { isGzip } from "../../../src/formats/file-signatures.ts";
import { findFormat, MOST_UNPACKED_BYTES, openFile } from "../../../src/formats/open-file.ts";
import { bytesReader, type RangeReader } from "../../../src/formats/range-reader.ts";
import type { Trace } from "../../../src/trace/model.ts";
import { chartBase } from "../chart/chart-data.ts";
import { buffersBelow, sendTrace } from "./crossing.ts";
import type { FromReader, ToReader, TraceParts } from "./open-protocol.ts";

interface WorkerScope {
  postMessage(message: FromReader, handOver?: ArrayBuffer[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToReader>) => void): void;
}

/** Workers have it, and only they: it waits for the disk. */
declare class FileReaderSync {
  readAsArrayBuffer(file: Blob): ArrayBuffer;
}

const scope = globalThis as unknown as WorkerScope;
const post = scope.postMessage.bind(scope);
const TELL_EVERY_MS = 100;

/** Tells now and then how far it is. */
function teller(stage: "reading" | "unpacking"): (bytes: number) => void {
  let reportedAt = 0;
  return (bytes) => {
    const now = performance.now();
    if (now - reportedAt < TELL_EVERY_MS) return;
    reportedAt = now;
    post({ type: "progress", stage, bytes });
  };
}

function blobReader(file: Blob): RangeReader {
  const reader = new FileReaderSync();
  const tell = teller("reading");
  return {
    sizeBytes: file.size,
    read: (offset, length) => {
      tell(offset);
      return new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, Math.min(file.size, offset + length))));
    },
  };
}

/** @throws {DiagnosticError} where it is no gzip, or unpacks to more than a recording can be */
async function unpacked(file: Blob): Promise<RangeReader> {
  const tell = teller("unpacking");
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  try {
    const stream = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    for (;;) {
      const { done, value } = await stream.read();
      if (done) break;
      parts.push(value);
      bytes += value.length;
      tell(bytes);
      if (bytes > MOST_UNPACKED_BYTES) break;
    }
  } catch (error) {
    throw new DiagnosticError(diagnostic("open_bad_gzip", { reason: error instanceof Error ? error.message : "" }));
  }
  if (bytes > MOST_UNPACKED_BYTES) {
    throw new DiagnosticError(diagnostic("open_unpacked_too_large", { mostBytes: MOST_UNPACKED_BYTES }));
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts.splice(0)) {
    whole.set(part, at);
    at += part.length;
  }
  return bytesReader(whole);
}

function partsOf(trace: Trace): TraceParts {
  post({ type: "progress", stage: "explaining", bytes: 0 });
  return { facts: traceFacts(trace), base: chartBase(trace), crossing: sendTrace(trace) };
}

async function open({ file, name, device, format }: ToReader): Promise<void> {
  const plain = blobReader(file);
  const isPacked = isGzip(plain.read(0, 3));
  const opened = openFile(isPacked ? await unpacked(file) : plain, {
    name: isPacked ? name.replace(/\.gz$/i, "") : name,
    ...(device === null ? {} : { device }),
    ...(format === null ? {} : { format }),
  });
  const trace = opened.trace === null ? null : partsOf(opened.trace);
  const { title } = findFormat(opened.format);
  post(
    { type: "opened", format: opened.format, title, trace, readings: opened.readings, notes: opened.notes },
    buffersBelow([trace?.crossing, trace?.base]),
  );
}

scope.addEventListener("message", ({ data }) => {
  open(data).catch((error: unknown) => {
    if (error instanceof DiagnosticError) post({ type: "refused", diagnostic: error.diagnostic });
    else post({ type: "failed", reason: error instanceof Error ? error.message : String(error) });
  });
});
