/**
 * Interpreters that have imported a program's packages already, as `package-snapshots.ts` of the npm package keeps them: made once for a set
 * of imports of the packages that are kept, and started from ever after.
 */

import { heldFiles, type HostFiles } from "../../../src/python/host-files.ts";
import type { WorkerRequest } from "../../../src/python/messages.ts";
import type { Machine } from "../../../src/session/machine.ts";
import { importsOf, keptFacts } from "../../../src/python/program-imports.ts";
import { SITE_PACKAGES } from "../../../src/python/program-place.ts";
import { interpreterOf, keepInterpreter, knownInterpreter, setOfKept } from "../packages/kept-interpreters.ts";
import { packedFiles } from "./packed-files.ts";
import type { PackedFiles } from "./protocol.ts";
import { startOwn, threadParts } from "./python-pool.ts";

/** A package that takes longer to be imported is left to the program. */
const MOST_SECONDS = 600;

export interface InterpreterWish {
  readonly request: WorkerRequest;
  readonly packages: readonly PackedFiles[];
  readonly signal?: AbortSignal | undefined;
  /** One is being made: this takes seconds. */
  readonly onMaking: () => void;
}

/** The packed memory of an interpreter for a program, made where there is none yet; null where it needs none. */
export async function packageInterpreter(wish: InterpreterWish): Promise<Blob | null> {
  const { request, packages } = wish;
  const imports = importsOf(
    request,
    [SITE_PACKAGES],
    joined(packedFiles(packages), heldFiles(Object.fromEntries(request.files))),
  );
  if (!imports.some(({ large }) => large)) return null;
  const statements = [...new Set(imports.map(({ statement }) => statement))].sort();
  try {
    const common = await keyOf(request, statements, null);
    const ofMachine = await keyOf(request, statements, request.machine);
    const first = await knownInterpreter(common);
    const known = first?.asksMachine ? await knownInterpreter(ofMachine) : first;
    if (known !== undefined) return known.failed ? null : await interpreterOf(known.key);
    wish.onMaking();
    const made = await make(wish, statements);
    if (wish.signal?.aborted) return null;
    if (made === null) {
      await keepInterpreter({ key: common, failed: true, asksMachine: false }, null);
      return null;
    }
    const { asksMachine } = made;
    if (asksMachine) await keepInterpreter({ key: common, failed: false, asksMachine }, null);
    const key = asksMachine ? ofMachine : common;
    await keepInterpreter({ key, failed: false, asksMachine: false }, made.packed);
    return made.packed;
  } catch {
    // a browser that keeps nothing, or has no room: the program imports its packages itself
    return null;
  }
}

interface Made {
  readonly packed: Blob;
  readonly asksMachine: boolean;
}

function make({ request, packages, signal }: InterpreterWish, imports: readonly string[]): Promise<Made | null> {
  return new Promise((done, fail) => {
    const thread = startOwn({ snapshot: null, freeze: true });
    const end = (): void => {
      clearTimeout(limit);
      signal?.removeEventListener("abort", onAbort);
      thread.end();
    };
    const onAbort = (): void => {
      end();
      done(null);
    };
    const limit = setTimeout(onAbort, MOST_SECONDS * 1000);
    signal?.addEventListener("abort", onAbort, { once: true });
    thread.listen((message) => {
      if (message.type === "frozen") {
        end();
        if (message.files.length === 0) done(null);
        else packed(message.snapshot).then((blob) => done({ packed: blob, asksMachine: message.asksMachine }), fail);
      } else if (message.type === "failed" || message.type === "refused") {
        end();
        done(null);
      }
    });
    thread.send({ type: "packages", packages });
    thread.send({ type: "freeze", request, imports });
  });
}

const packed = (memory: Uint8Array): Promise<Blob> =>
  new Response(
    new Blob([memory as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream("gzip")),
  ).blob();

/** What a snapshot depends on; the address of Python's parts says the build. */
async function keyOf(request: WorkerRequest, statements: readonly string[], machine: Machine | null): Promise<string> {
  const text = JSON.stringify([threadParts, setOfKept(), keptFacts(request, statements, machine)]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest.slice(0, 16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The files of both; the second is asked for what the first does not have. */
const joined = (first: HostFiles, second: HostFiles): HostFiles => ({
  list: (path) => first.list(path) ?? second.list(path),
  stat: (path) => first.stat(path) ?? second.stat(path),
  read: (path, from, length) => first.read(path, from, length) ?? second.read(path, from, length),
});
