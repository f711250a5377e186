/**
 * The functions that the stand-in's Python calls, and the one Python function that the engine calls back.
 * Only numbers, booleans and strings cross: no JavaScript object is ever visible to a program, and no JavaScript
 * exception crosses either: an error returns as text that starts with "!".
 */

import { Node } from "../autograd/node.ts";
import { PythonNode } from "../autograd/python-node.ts";
import { codesOf, ArgumentReader } from "./codec.ts";
import { Handles } from "./handles.ts";
import { findOp, type CompiledOp } from "../ops/registry.ts";
import { metaOf, refreshView } from "../session/history.ts";
import type { HolderTable } from "../session/holders.ts";
import type { PassPolicy } from "../session/passes.ts";
import type { KeptResults } from "../session/selective.ts";
import type { Session } from "../session/session.ts";
import { dtype, isComplex, isFloating } from "../tensor/dtype.ts";
import { TorchError } from "../tensor/shape.ts";
import { Tensor } from "../tensor/tensor.ts";
import { CATEGORIES, PHASES, type Category, type Phase } from "../trace/model.ts";
import { graphFunctions } from "./bridge-graph.ts";
import { memoryFunctions } from "./bridge-memory.ts";
import { passFunctions } from "./bridge-passes.ts";
import { rankFunctions, type RankLine } from "./bridge-ranks.ts";
import { operatorText, subclassFunctions } from "./bridge-subclass.ts";
import { lookAtHolders } from "./holders.ts";
import { setAlarm } from "./alarms.ts";
import { hostAddresses } from "./host-addresses.ts";
import { sleepFor } from "./virtual-time.ts";

/** Python's dispatcher: what to do, an object's id, tensor handles; returns handles. */
export type PythonDispatcher = (kind: string, id: number, handles: string) => string | number | undefined;

export type BridgeFunction = (...args: never[]) => unknown;

/** What crosses for one op call. */
function encode(handles: Handles, result: unknown): unknown {
  if (result instanceof Tensor) return handles.expose(result);
  if (Array.isArray(result)) return result.map((t) => (t instanceof Tensor ? String(handles.expose(t)) : "")).join(",");
  return result ?? undefined;
}

/** An error as text for Python: its class, a newline, its message. */
export function errorText(error: unknown): string {
  if (error instanceof TorchError) return `!${error.kind}\n${error.message}`;
  // no stack: it would tell a program where this one is installed
  if (error instanceof Error) return `!InternalError\n${error.message}`;
  return `!InternalError\n${String(error)}`;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

export interface Bridge {
  readonly functions: Record<string, BridgeFunction>;
  connectPython(dispatcher: PythonDispatcher): void;
  /** The program is over. */
  end(): void;
  /** Who holds what is allocated, right after event `event`. */
  holders(event: number): HolderTable;
}

/** Functions by name for one session. `python` is set once the interpreter is up. */
export function createBridge(
  session: Session,
  opNames: readonly string[],
  passes: PassPolicy = "all",
  rankLine: RankLine | null = null,
): Bridge {
  const handles = new Handles();
  const { place, pool } = session;
  const find = handles.tensor;
  const ops: (CompiledOp | undefined)[] = [];
  const codes: string[] = [];
  const moduleStack: number[] = [];
  const hostAddress = hostAddresses();
  let lastFrame = -1;
  /** Nodes of custom functions that live, by their callback; not held. */
  const pythonNodes = new Map<number, PythonNode>();
  /** Results of the running callback, each with a reference for the engine. */
  const given = new Map<number, Tensor>();
  const stores = new Map<number, KeptResults>();
  const ranks = rankFunctions(session, rankLine);
  let python: PythonDispatcher = () => undefined;

  const listOf = (tensors: readonly (Tensor | null)[]): string =>
    tensors.map((t) => (t ? String(handles.expose(t)) : "")).join(",");
  /** Tensors that Python hands over; it has taken a reference for us. */
  const adopt = (text: unknown): (Tensor | null)[] => {
    if (typeof text !== "string") throw new TorchError("a Python callback failed", "PythonCallbackError");
    if (text.startsWith("!")) throw new TorchError(text.slice(1), "PythonCallbackError");
    if (text === "") return [];
    // by now the Python objects may be gone: only what they gave us keeps the tensors
    const tensors = text.split(",").map((h) => (h === "" ? null : (given.get(Number(h)) as Tensor)));
    given.clear();
    return tensors;
  };

  session.python = {
    call: (id, tensors) => adopt(python("call", id, listOf(tensors))),
    drop: (id) => {
      pythonNodes.delete(id);
      python("drop", id, "");
    },
    pack: (hook, tensor) => {
      const result = python("pack", hook, listOf([tensor]));
      if (typeof result === "string") throw new TorchError(result.slice(1), "PythonCallbackError");
      return Number(result);
    },
    unpack: (hook, packed) => adopt(python("unpack", hook, String(packed)))[0] as Tensor,
    keeps: (policy, op) => {
      const result = python("keeps", policy, op);
      if (typeof result === "string") throw new TorchError(result.slice(1), "PythonCallbackError");
      return result === 1;
    },
    operator: (op, args) => adopt(python("op", 0, operatorText(handles, op, args))),
  };
  session.subclasses.onEnd = (tensor) => void python("forget", tensor.id, "");

  /** Every entry: errors become text, what was made is given back. */
  const guard =
    <A extends unknown[], R>(f: (...args: A) => R) =>
    (...args: A): unknown => {
      const mark = pool.size;
      try {
        const result = encode(handles, f(...args));
        pool.release(mark);
        return result;
      } catch (error) {
        pool.release(mark);
        return errorText(error);
      }
    };

  const at = (frame: number): void => {
    place.frame = frame;
  };

  const functions: Record<string, (...args: never[]) => unknown> = {
    slept: sleepFor,
    alarm: setAlarm,
    op: (id: number, frame: number, ...flat: unknown[]): unknown => {
      const mark = pool.size;
      place.frame = frame;
      try {
        let op = ops[id];
        if (!op) {
          op = findOp(opNames[id]) as CompiledOp;
          ops[id] = op;
          codes[id] = codesOf(op);
        }
        const reader = new ArgumentReader(flat, 0, find);
        const letters = codes[id];
        const args: unknown[] = new Array(letters.length);
        for (let i = 0; i < letters.length; i++) args[i] = reader.read(letters[i]);
        const result = session.call(op.name, args);
        const encoded = result instanceof Tensor ? handles.expose(result) : encode(handles, result);
        pool.release(mark);
        return encoded;
      } catch (error) {
        pool.release(mark);
        session.pendingOut = null;
        return errorText(error);
      }
    },
    release: (handle: number, frame: number): void => {
      place.frame = frame;
      handles.unwrap(handle);
    },
    addWrapper: (handle: number): void => handles.wrap(find(handle)),
    /** One reference that the engine will own: results of callbacks. */
    give: (handle: number): void => void given.set(handle, find(handle).retain()),
    frame: (parent: number, file: string, line: number, name: string): number => {
      // a frame that were its own caller would make a stack without end
      if (!Number.isInteger(parent) || parent < -1 || parent > lastFrame) throw new TorchError("no such frame");
      const frame = session.trace.frame(parent, String(file), Number(line), String(name));
      lastFrame = Math.max(lastFrame, frame);
      return frame;
    },
    meta: (handle: number): string => {
      const t = find(handle);
      return `${t.dtype.name}|${t.device}|${t.offset}|${t.sizes.join(",")}|${t.strides.join(",")}`;
    },
    flags: (handle: number): number => {
      const t = find(handle);
      if (t.viewBase) refreshView(session, t);
      return (
        (t.requiresGrad ? 1 : 0) |
        (t.isLeaf ? 2 : 0) |
        (t.isInference ? 4 : 0) |
        (t.retainsGrad ? 8 : 0) |
        (t.viewBase ? 16 : 0) |
        (t.isContiguous ? 32 : 0) |
        (t.grad ? 64 : 0) |
        (t.unresolved ? 128 : 0)
      );
    },
    setRequiresGrad: guard((handle: number, value: boolean) => {
      const t = find(handle);
      if (value && !isFloating(t.dtype) && !isComplex(t.dtype))
        throw new TorchError("only Tensors of floating point and complex dtype can require gradients");
      if (value && t.isInference && !session.inferenceMode)
        throw new TorchError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
      if (!value && t.gradFn)
        throw new TorchError(
          "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().",
        );
      t.requiresGrad = value;
    }),
    grad: (handle: number): number => {
      const g = find(handle).grad;
      return g ? handles.expose(g) : 0;
    },
    setGrad: (handle: number, grad: number, frame: number): void => {
      at(frame);
      const t = find(handle);
      const old = t.grad;
      t.grad = grad ? find(grad).retain() : null;
      if (t.grad && t.isLeaf) session.becameGradient(t.grad);
      old?.release();
    },
    setData: guard((handle: number, source: number, frame: number, viaSet?: boolean) => {
      at(frame);
      const t = find(handle);
      const s = find(source);
      const sharesStorage = !viaSet || session.rules.setTakesStorage || s.storage === t.storage;
      t.dtype = s.dtype;
      t.sizes = s.sizes;
      t.strides = s.strides;
      t.offset = s.offset;
      t.version = { value: t.version.value };
      if (sharesStorage) t.setStorage(s.storage);
      else if (t.storage.nbytes < s.storage.nbytes) session.memory.resize(t.storage, s.storage.nbytes, session.stream);
      const accumulator = t.gradAccumulator as Node | null;
      if (accumulator) accumulator.results[0] = metaOf(t);
    }),
    /** A view op's geometry for the tensor itself: t_, squeeze_, and the like. */
    adoptGeometry: guard((handle: number, source: number) => {
      const t = find(handle);
      const s = find(source);
      if (s.storage !== t.storage) throw new TorchError("a tensor takes the geometry of its own views only");
      t.sizes = s.sizes;
      t.strides = s.strides;
      t.offset = s.offset;
      t.version.value++;
      const fn = s.gradFn as Node | null;
      if (fn && t.requiresGrad) {
        fn.retain();
        const old = t.gradFn;
        t.gradFn = fn;
        t.outputNr = s.outputNr;
        old?.release();
      }
    }),
    resize: guard((handle: number, frame: number, ...sizes: number[]) => {
      at(frame);
      const t = find(handle);
      const impossible = sizes.find((size) => !isCount(size));
      if (impossible !== undefined)
        throw new TorchError(`Trying to create tensor with negative dimension ${impossible}: [${sizes.join(", ")}]`);
      let n = 1;
      for (const s of sizes) n *= s;
      const bytes = (n + t.offset) * t.dtype.itemBytes;
      if (n > 0 && bytes > t.storage.nbytes) session.memory.resize(t.storage, bytes, session.stream);
      const strides: number[] = [];
      let step = 1;
      for (let i = sizes.length - 1; i >= 0; i--) {
        strides[i] = step;
        step *= Math.max(sizes[i], 1);
      }
      t.sizes = sizes;
      t.strides = strides;
    }),
    resizeStorage: guard((handle: number, bytes: number, frame: number) => {
      at(frame);
      if (!isCount(bytes)) throw new TorchError("a storage has a whole number of bytes");
      session.memory.resize(find(handle).storage, bytes, session.stream);
    }),
    storageBytes: (handle: number): number => find(handle).storage.nbytes,
    storageId: (handle: number): number => {
      const { storage } = find(handle);
      const block = storage.block as { address: number } | null;
      return block ? block.address : hostAddress(storage);
    },
    sameStorage: (a: number, b: number): boolean => find(a).storage === find(b).storage,
    version: (handle: number): number => find(handle).version.value,
    setOut: (...outs: number[]): void => {
      session.pendingOut = outs.map(find);
    },
    base: (handle: number): number => {
      const b = find(handle).viewBase;
      return b ? handles.expose(b) : 0;
    },
    values: (handle: number): string | undefined => {
      const t = find(handle);
      return t.device === "cuda" && session.unreadableDevice ? undefined : t.values?.join(",");
    },
    setValues: (handle: number, values: string): void => {
      find(handle).learn(values === "" ? [] : values.split(",").map(Number));
    },
    drawn: (handle: number): boolean => find(handle).storage.contents?.drawn ?? false,
    seedGenerator: (generator: number, seed: number): void => session.generator(generator).seed(seed),
    /** The low half of a whole number of 64 bits, which is what a seed is made of. */
    drawSeed: (): number => {
      session.random.word();
      return session.random.word();
    },
    useGenerator: (generator: number): void => {
      session.random = session.generator(generator);
    },
    /** Python keeps the tensor for backward, as what a pack hook returned. */
    kept: (handle: number): void => session.memory.keptForBackward(find(handle).storage),
    tag: (handle: number, category: string): void => {
      if (!CATEGORIES.includes(category as Category)) throw new TorchError("no such category");
      session.memory.categorize(find(handle).storage, category as Category);
    },
    /** Several keys are joined by commas, their values by lines. */
    assume: (code: string, frame: number, key: string, value: string): void => {
      const values = String(value).split("\n");
      const names = key ? String(key).split(",") : [];
      session.trace.assumption(
        String(code),
        Object.fromEntries(
          names.map((name, i) => [name, name.endsWith("Bytes") ? Number(values[i]) : (values[i] ?? "")]),
        ),
        Number(frame),
      );
    },
    mark: (name: string, frame: number): void => session.trace.mark(String(name), Number(frame)),
    reached: (frame: number, isStop: boolean): void => session.trace.reached(frame, isStop),

    // modes
    gradMode: (): boolean => session.gradEnabled,
    setGradMode: (value: boolean): void => {
      session.gradEnabled = value;
    },
    inferenceMode: (): boolean => session.inferenceMode,
    setInferenceMode: (value: boolean): void => {
      session.inferenceMode = value;
    },
    setPhase: (phase: string): string => {
      const before = place.phase;
      if (!PHASES.includes(phase as Phase)) throw new TorchError("no such phase");
      place.phase = phase as Phase;
      if (phase === "optimizer") session.optimizerSteps++;
      return before;
    },
    pushModule: (path: string): void => {
      if (moduleStack.length === 0) session.steps.enterCall(session.recordsGraph);
      moduleStack.push(place.module);
      place.module = session.trace.module(String(path));
      if (place.phase === "other") place.phase = "forward";
    },
    popModule: (): void => {
      place.module = moduleStack.pop() ?? -1;
      if (moduleStack.length === 0) session.steps.leaveCall();
      if (moduleStack.length === 0 && place.phase === "forward") place.phase = "other";
    },
    autocast: (device: string, what: string, value?: boolean | string): unknown => {
      const state = session.autocast.states[device === "cpu" ? "cpu" : "cuda"];
      switch (what) {
        case "enabled":
          return state.enabled;
        case "enable":
          state.enabled = value === true;
          return undefined;
        case "dtype":
          return state.dtype.name;
        case "set_dtype":
          state.dtype = dtype(String(value));
          return undefined;
        case "cache":
          return state.cacheEnabled;
        case "set_cache":
          session.autocast.states.cpu.cacheEnabled = session.autocast.states.cuda.cacheEnabled = value === true;
          return undefined;
        default:
          session.autocast.clearCache();
          return undefined;
      }
    },
    setSavedHooks: (pack: number, unpack: number): void => {
      session.savedTensorHooks = pack < 0 ? null : { pack, unpack };
    },

    ...graphFunctions({ session, handles, guard, pythonNodes, stores }),
    ...subclassFunctions(session, guard),
    ...ranks,
    ...memoryFunctions(session, find),
    ...passFunctions(session, passes, { together: rankLine !== null, onLeft: ranks.rankLeftLoop }),
  };

  return {
    functions,
    connectPython: (dispatcher) => {
      python = dispatcher;
    },
    end: () => void ranks.ranksTold(),
    holders: (event) => lookAtHolders({ session, handles, stores, python }, event),
  };
}
