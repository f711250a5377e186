/** An interpreter's parts from the page's own origin, with word of how much has come. */

import type { InterpreterParts } from "../../../src/python/interpreter.ts";
import { plainImage, type MemoryImage } from "../../../src/python/snapshot-memory.ts";

export function browserParts(base: string, onBytes: (bytes: number, totalBytes: number) => void): InterpreterParts {
  return {
    standIns: async () => (await (await wanted(`${base}stand-ins.json`)).json()) as Record<string, string>,
    snapshot: async () => {
      const response = await wanted(`${base}interpreter.snapshot.gz`);
      if (response.body === null) return null;
      const totalBytes = Number(response.headers.get("content-length") ?? 0);
      let bytes = 0;
      const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          bytes += chunk.length;
          onBytes(bytes, Math.max(totalBytes, bytes));
          controller.enqueue(chunk);
        },
      });
      // a server that says `Content-Encoding: gzip` for .gz files has the browser unpack it already
      const isPacked = response.headers.get("content-encoding") === null;
      const counted = response.body.pipeThrough(counting);
      return isPacked ? unpackedImage(counted) : plainImage(await bytesOf(counted));
    },
    moduleUrl: `${base}pyodide.asm.mjs`,
    indexUrl: base,
  };
}

const bytesOf = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream).arrayBuffer());

/** The memory in what was packed by gzip. */
export const unpackedImage = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<MemoryImage> =>
  plainImage(await bytesOf(stream.pipeThrough(new DecompressionStream("gzip"))));

async function wanted(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}: ${url}`);
  return response;
}
