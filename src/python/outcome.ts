/**
 * Carries a program out and judges how it ended. The judge is the C code of the interpreter, asked from outside: whatever a program
 * changes in Python (`json`, `traceback`, `builtins`, our own modules), it changes the words of its error at most.
 */

import type { PyodideInterface } from "pyodide";
import type { ProgramEnd } from "./messages.ts";
import type { RunStatus } from "./run-types.ts";

/** An object of Python by its address; 0: none, and an exception is set. */
type Pointer = number;

/** The functions of CPython's C interface that are used here, and Pyodide's. */
interface CPython {
  _PyObject_CallNoArgs(callable: Pointer): Pointer;
  _PyObject_CallOneArg(callable: Pointer, argument: Pointer): Pointer;
  _PyEval_EvalCode(code: Pointer, globals: Pointer, locals: Pointer): Pointer;
  _PyErr_GetRaisedException(): Pointer;
  _PyErr_GivenExceptionMatches(error: Pointer, kind: Pointer): number;
  _PyErr_Occurred(): Pointer;
  _PyErr_Clear(): void;
  _PyObject_GetAttrString(object: Pointer, name: Pointer): Pointer;
  _PyObject_Type(object: Pointer): Pointer;
  _PyType_IsSubtype(type: Pointer, other: Pointer): number;
  _PyLong_AsLongLong(object: Pointer): bigint;
  _PyUnicode_AsUTF8(object: Pointer): Pointer;
  _PyThreadState_Get(): Pointer;
  _PyUnstable_ThreadState_SetStackProtection(thread: Pointer, start: Pointer, bytes: number): number;
  _emscripten_stack_get_base(): Pointer;
  stringToNewUTF8(text: string): Pointer;
  UTF8ToString(text: Pointer): string;
  PyProxy_getPtr(proxy: unknown): Pointer;
  readonly HEAPU32: Uint32Array;
  /** Addresses of variables that hold a pointer, and of objects. */
  readonly _PyExc_SystemExit: Pointer;
  readonly _PyExc_KeyboardInterrupt: Pointer;
  readonly _PyLong_Type: Pointer;
  readonly __Py_NoneStruct: Pointer;
}

/** What `prepare` of python/vramscope_boot.py gives, in its order. */
const PARTS = [
  "begin",
  "following",
  "wentOn",
  "ended",
  "told",
  "sayExit",
  "leave",
  "flush",
  "outOfMemory",
  "unsupportedOp",
  "timeLimit",
] as const;
type Parts = Readonly<Record<(typeof PARTS)[number], Pointer>>;

interface PythonTuple {
  get(index: number): unknown;
}

/**
 * How much of its C stack a program may use. CPython in WebAssembly needs far less of it for each level than a native one with its
 * 8 MiB, and the host's own stack, which nobody counts, fills beside it: with this a list nested 100,000 deep is a RecursionError here
 * as there, and a thousand levels of Python through C are not.
 */
const STACK_BYTES = 1.5 * 2 ** 20;

export interface Outcome {
  /** Runs the program. `ranOut`: whether a request for memory failed in it. */
  carryOut(ranOut: () => boolean): ProgramEnd;
}

/** Takes hold of all that judging needs, before a program runs. `prepared` is what `prepare` of vramscope_boot.py gave. */
export function outcomeOf(pyodide: PyodideInterface, prepared: unknown): Outcome {
  const c = (pyodide as unknown as { _module: CPython })._module;
  const tuple = prepared as PythonTuple;
  const parts = Object.fromEntries(
    PARTS.map((name, index) => [name, c.PyProxy_getPtr(tuple.get(index))]),
  ) as unknown as Parts;
  const at = (variable: Pointer): Pointer => c.HEAPU32[variable >> 2]!;
  const systemExit = at(c._PyExc_SystemExit);
  const keyboardInterrupt = at(c._PyExc_KeyboardInterrupt);
  c._PyUnstable_ThreadState_SetStackProtection(
    c._PyThreadState_Get(),
    c._emscripten_stack_get_base() - STACK_BYTES,
    STACK_BYTES,
  );
  const codeName = c.stringToNewUTF8("code");
  const typeName = c.stringToNewUTF8("__name__");

  /** Calls a helper of ours; what goes wrong in it is nobody's business. */
  const help = (callable: Pointer, argument?: Pointer): Pointer => {
    const result =
      argument === undefined ? c._PyObject_CallNoArgs(callable) : c._PyObject_CallOneArg(callable, argument);
    if (result === 0) c._PyErr_Clear();
    return result;
  };
  const textOf = (object: Pointer): string | null => {
    const text = object === 0 ? 0 : c._PyUnicode_AsUTF8(object);
    if (text === 0) c._PyErr_Clear();
    return text === 0 ? null : c.UTF8ToString(text);
  };
  const isA = (error: Pointer, kind: Pointer): boolean => c._PyErr_GivenExceptionMatches(error, kind) !== 0;

  const words = (error: Pointer): string =>
    textOf(help(parts.told, error)) ??
    `${textOf(c._PyObject_GetAttrString(c._PyObject_Type(error), typeName)) ?? "error"}\n`;

  /** As _Py_HandleSystemExit: nothing is 0, a number is its low bits, anything else is said and is 1. */
  const exitStatus = (error: Pointer): number => {
    const code = c._PyObject_GetAttrString(error, codeName);
    if (code === 0) c._PyErr_Clear();
    if (code === 0 || code === c.__Py_NoneStruct) return 0;
    if (c._PyType_IsSubtype(c._PyObject_Type(code), c._PyLong_Type) === 0) {
      help(parts.sayExit, code);
      return 1;
    }
    const status = c._PyLong_AsLongLong(code);
    if (c._PyErr_Occurred() !== 0) c._PyErr_Clear();
    return Number(BigInt.asUintN(8, status));
  };

  const statusOf = (error: Pointer, ranOut: boolean): RunStatus => {
    if (isA(error, parts.timeLimit)) return "timeout";
    if (isA(error, keyboardInterrupt)) return "interrupted";
    // a program may raise anything; only a request that failed is one
    if (isA(error, parts.outOfMemory) && ranOut) return "out_of_memory";
    return isA(error, parts.unsupportedOp) ? "unsupported_op" : "python_error";
  };

  /** `error` is 0 where nothing was raised. */
  const judge = (error: Pointer, ranOut: () => boolean): ProgramEnd => {
    help(parts.ended);
    if (error === 0) return { status: "ok", exitStatus: 0, errorText: null };
    if (isA(error, systemExit)) return { status: "system_exit", exitStatus: exitStatus(error), errorText: null };
    return { status: statusOf(error, ranOut()), exitStatus: 1, errorText: words(error) };
  };

  return {
    carryOut: (ranOut) => {
      let end: ProgramEnd | null = null;
      try {
        const namespace = c._PyObject_CallNoArgs(parts.begin);
        let error = namespace === 0 ? c._PyErr_GetRaisedException() : 0;
        while (error === 0) {
          const code = c._PyObject_CallNoArgs(parts.following);
          if (code === c.__Py_NoneStruct) break;
          if (code !== 0 && c._PyEval_EvalCode(code, namespace, namespace) !== 0) continue;
          error = c._PyErr_GetRaisedException();
          if (code !== 0 && textOf(help(parts.wentOn, error)) !== null) error = 0;
        }
        end = judge(error, ranOut);
        if (end.status !== "timeout" && end.status !== "interrupted") help(parts.leave);
        help(parts.flush);
        return end;
      } catch (error) {
        return end ?? brokenDown(error);
      }
    },
  };
}

/** The interpreter itself ended: a program can have that of it, as it can have a segmentation fault of CPython. */
function brokenDown(error: unknown): ProgramEnd {
  const { name, message, status } = error as { name?: string; message?: string; status?: unknown };
  if (typeof status === "number") return { status: "system_exit", exitStatus: status & 255, errorText: null };
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    const text = "RecursionError: maximum recursion depth exceeded: the interpreter's own stack is full\n";
    return { status: "python_error", exitStatus: 1, errorText: text };
  }
  const text = `Fatal Python error: the interpreter broke down: ${name ?? "error"}: ${message ?? String(error)}\n`;
  return { status: "python_error", exitStatus: 1, errorText: text };
}
