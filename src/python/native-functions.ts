/**
 * The engine's functions as built-in functions of Python. Python gets no JavaScript object in its hands, not even the
 * functions themselves: WebAssembly calls one function here, by address, and what crosses is read from and written to
 * Python's own memory: numbers, booleans, strings, bytes (as a copy) and None. An error of any kind becomes a Python exception with a text.
 */

import type { PyodideInterface } from "pyodide";
import { TorchError } from "../tensor/shape.ts";
import type { BridgeFunction } from "./bridge.ts";

/** The parts of Pyodide's module that are used here: CPython's C API and its memory. */
interface CApi {
  readonly HEAPU32: Uint32Array;
  readonly HEAPF64: Float64Array;
  readonly HEAPU8: Uint8Array;
  addFunction(f: (self: number, args: number, count: number) => number, signature: string): number;
  stringToNewUTF8(text: string): number;
  _malloc(bytes: number): number;
  _free(address: number): void;
  _PyCMethod_New(definition: number, self: number, module: number, type: number): number;
  _PyObject_SetAttrString(object: number, name: number, value: number): number;
  _PyLong_FromDouble(value: number): number;
  _PyLong_AsDouble(object: number): number;
  _PyFloat_FromDouble(value: number): number;
  _PyFloat_AsDouble(object: number): number;
  _PyBytes_AsString(object: number): number;
  _PyBytes_Size(object: number): number;
  _PyType_GetFlags(type: number): number;
  _PyType_IsSubtype(type: number, base: number): number;
  _PyErr_Occurred(): number;
  _PyErr_Clear(): void;
  _PyErr_SetString(exception: number, text: number): void;
  _Py_DecRef(object: number): void;
  _python2js(object: number): unknown;
  js2python_convertImmutable(value: unknown): number | undefined;
}

const METH_FASTCALL = 0x80;
/** Bits of a type's flags: Py_TPFLAGS_LONG_SUBCLASS, Py_TPFLAGS_BYTES_SUBCLASS and Py_TPFLAGS_UNICODE_SUBCLASS. */
const IS_INT = 1 << 24;
const IS_BYTES = 1 << 27;
const IS_STR = 1 << 28;

/** Errors of the engine by the name of the Python class that they become; all others are RuntimeError. */
const CLASSES = ["RuntimeError", "IndexError", "ValueError", "TypeError", "NotImplementedError", "RecursionError"];

/** Addresses of Python's own objects; they live as long as the interpreter. */
interface Known {
  readonly None: number;
  readonly True: number;
  readonly False: number;
  readonly int: number;
  readonly float: number;
  readonly str: number;
  readonly errors: Readonly<Record<string, number>>;
}

function knownObjects(pyodide: PyodideInterface): Known {
  const addresses = (values: string): number[] =>
    JSON.parse(pyodide.runPython(`str([*map(id, (${values}))])`) as string) as number[];
  const [none, yes, no, int, float, str] = addresses("None, True, False, int, float, str");
  const errors = Object.fromEntries(addresses(CLASSES.join(", ")).map((address, i) => [CLASSES[i]!, address]));
  return { None: none!, True: yes!, False: no!, int: int!, float: float!, str: str!, errors };
}

/** What an argument is that is neither a number nor text nor bytes. */
class ForeignArgument extends TypeError {}

/**
 * Reads Python's numbers, strings and bytes. `ob_type` is the second word of an object and a float's value the third and fourth: that
 * has been so in every CPython for 32-bit machines. How ints are laid out changes, so the C API reads them.
 */
function reader(c: CApi, known: Known): (object: number) => unknown {
  const other = (object: number, type: number): unknown => {
    const flags = c._PyType_GetFlags(type);
    if ((flags & IS_STR) !== 0) return c._python2js(object);
    if ((flags & IS_INT) !== 0) return int(object);
    if ((flags & IS_BYTES) !== 0) {
      const start = c._PyBytes_AsString(object);
      return c.HEAPU8.slice(start, start + c._PyBytes_Size(object));
    }
    if (c._PyType_IsSubtype(type, known.float) !== 0) return c.HEAPF64[(object >>> 3) + 1];
    throw new ForeignArgument("an argument is neither a number nor text nor bytes");
  };
  const int = (object: number): number => {
    const value = c._PyLong_AsDouble(object);
    if (value === -1 && c._PyErr_Occurred() !== 0) {
      c._PyErr_Clear();
      return Infinity;
    }
    return value;
  };
  return (object) => {
    const type = c.HEAPU32[(object >>> 2) + 1]!;
    if (type === known.int) return int(object);
    if (type === known.float) return c.HEAPF64[(object >>> 3) + 1];
    if (object === known.None) return undefined;
    if (object === known.True) return true;
    if (object === known.False) return false;
    if (type === known.str) return c._python2js(object);
    return other(object, type);
  };
}

/** Writes a result as a new Python object. */
function writer(c: CApi, known: Known): (value: unknown) => number {
  return (value) => {
    switch (typeof value) {
      case "number":
        return Number.isInteger(value) ? c._PyLong_FromDouble(value) : c._PyFloat_FromDouble(value);
      case "undefined":
        return known.None;
      case "boolean":
        return value ? known.True : known.False;
      case "string":
        return c.js2python_convertImmutable(value) ?? 0;
      default:
        throw new TypeError(`a function of the engine gave a value of type ${typeof value}`);
    }
  };
}

/** The exception's class, by name, and its text. No stack: it would tell where this program is installed. */
function described(error: unknown): readonly [kind: string, text: string] {
  if (error instanceof TorchError) return [error.kind, error.message];
  if (error instanceof RangeError)
    return ["RecursionError", "maximum recursion depth exceeded in a call of the engine"];
  if (error instanceof ForeignArgument) return ["TypeError", error.message];
  return ["RuntimeError", error instanceof Error ? error.message : "the engine failed"];
}

/**
 * Sets attributes of `target`, a Python variable, to built-in functions.
 *
 * @param functions looked up at each call, so that they may be replaced
 */
export function giveFunctions(
  pyodide: PyodideInterface,
  target: string,
  names: readonly string[],
  functions: () => Record<string, BridgeFunction>,
): void {
  const c = (pyodide as unknown as { _module: CApi })._module;
  const known = knownObjects(pyodide);
  const read = reader(c, known);
  const write = writer(c, known);

  const raise = (error: unknown): number => {
    // what Python raised inside goes on
    if (c._PyErr_Occurred() !== 0) return 0;
    const [kind, message] = described(error);
    const text = c.stringToNewUTF8(message);
    c._PyErr_SetString(known.errors[kind] ?? known.errors["RuntimeError"]!, text);
    c._free(text);
    return 0;
  };
  const native =
    (name: string) =>
    (_self: number, args: number, count: number): number => {
      try {
        const values: unknown[] = new Array(count);
        const first = args >>> 2;
        for (let i = 0; i < count; i++) values[i] = read(c.HEAPU32[first + i]!);
        return write((functions()[name] as (...values: unknown[]) => unknown)(...values));
      } catch (error) {
        return raise(error);
      }
    };

  const object = Number(pyodide.runPython(`id(${target})`));
  for (const name of names) {
    const text = c.stringToNewUTF8(name);
    // struct PyMethodDef: name, function, flags, documentation; it must live as long as the function
    const definition = c._malloc(16);
    c.HEAPU32.set([text, c.addFunction(native(name), "iiii"), METH_FASTCALL, 0], definition >>> 2);
    const f = c._PyCMethod_New(definition, 0, 0, 0);
    c._PyObject_SetAttrString(object, text, f);
    c._Py_DecRef(f);
  }
}
