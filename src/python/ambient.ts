/**
 * What JavaScript offers a thread in which programs run: the names that stay and why, and the language's own objects, frozen.
 * Whatever is not listed goes, so that a new release of Node or of a browser adds nothing.
 */

type Table = Record<PropertyKey, unknown>;

/** By what they are for. None of them leads out of the thread. */
const KEPT: Readonly<Record<string, string>> = {
  "the language itself": `
    globalThis Infinity NaN undefined Object Function Array Number Boolean String Symbol BigInt Date RegExp JSON Math Intl
    Promise Proxy Reflect Map Set WeakMap WeakSet WeakRef FinalizationRegistry Iterator parseFloat parseInt isFinite isNaN
    Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError
    ArrayBuffer SharedArrayBuffer DataView Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array
    Float16Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array
    decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape`,
  "the interpreter's machine, and the classes of its errors": "WebAssembly",
  "text from bytes and back": "TextDecoder TextEncoder",
  "the time": "performance setTimeout clearTimeout setInterval clearInterval",
  "put in their place by the sandbox": "process console",
  "other names of globalThis": "global self",
};
const kept: ReadonlySet<string> = new Set(Object.values(KEPT).flatMap((names) => names.trim().split(/\s+/)));

/** Takes every other name from the global object, and from what a browser puts above it. */
export function closeGlobals(): void {
  for (let table: object | null = globalThis; table !== null && table !== Object.prototype;) {
    for (const name of Reflect.ownKeys(table)) {
      // symbols and `constructor` are the object's own; `constructor` is emptied with the other constructors
      if (typeof name === "symbol" || kept.has(name)) continue;
      const hidden = { value: undefined, writable: false, enumerable: false, configurable: false };
      if (Reflect.deleteProperty(table, name) && !Object.hasOwn(globalThis, name)) continue;
      if (!Reflect.defineProperty(table, name, hidden)) Reflect.set(table, name, undefined);
    }
    table = Object.getPrototypeOf(table) as object | null;
  }
}

/** Properties that libraries set on their own objects though the prototype has them: frozen, they could not be. */
const OVERRIDDEN: readonly (readonly [object, readonly string[]])[] = [
  [Object.prototype, ["constructor", "toString", "valueOf", "toLocaleString", "hasOwnProperty"]],
  [Function.prototype, ["constructor", "toString", "name", "length"]],
  [Error.prototype, ["constructor", "name", "message", "toString"]],
  ...[EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map(
    (kind) => [kind.prototype, ["constructor", "name", "message"]] as const,
  ),
];

/** Makes a value of a prototype one that objects below it can still set for themselves. */
function allowOverride(prototype: object, name: string): void {
  const own = Object.getOwnPropertyDescriptor(prototype, name);
  if (own === undefined || !("value" in own) || own.configurable !== true) return;
  const value: unknown = own.value;
  Object.defineProperty(prototype, name, {
    get: () => value,
    set(this: object, next: unknown) {
      if (this === prototype) throw new TypeError(`${name} is frozen`);
      Object.defineProperty(this, name, { value: next, writable: true, enumerable: true, configurable: true });
    },
    enumerable: false,
    configurable: false,
  });
}

/** Objects of the language that no name leads to. */
function hiddenIntrinsics(): object[] {
  const iterators = [[], "", new Map(), new Set()].map((list) => list[Symbol.iterator]());
  return [
    ...iterators,
    "".matchAll(/./g),
    async function asynchronous() {},
    function* generator() {},
    async function* asynchronousGenerator() {},
  ].map((value) => Object.getPrototypeOf(value) as object);
}

/** What only a thread's own work changes: the heap's views and the like hang on no intrinsic. */
const LEFT_OPEN: ReadonlySet<string> = new Set(["globalThis", "global", "self", "process", "console", "performance"]);

/** Freezes the language's objects, as far as they lead to each other. */
export function freezeIntrinsics(): void {
  for (const [prototype, names] of OVERRIDDEN) for (const name of names) allowOverride(prototype, name);
  const seen = new Set<object>([globalThis]);
  const waiting: unknown[] = [...kept]
    .filter((name) => !LEFT_OPEN.has(name))
    .map((name) => (globalThis as Table)[name]);
  waiting.push(...hiddenIntrinsics());
  for (let next = waiting.pop(); next !== undefined || waiting.length > 0; next = waiting.pop()) {
    if ((typeof next !== "object" && typeof next !== "function") || next === null || seen.has(next)) continue;
    seen.add(next);
    waiting.push(Object.getPrototypeOf(next));
    for (const key of Reflect.ownKeys(next)) {
      const { value, get, set } = Object.getOwnPropertyDescriptor(next, key)!;
      waiting.push(value, get, set);
    }
    freeze(next);
  }
}

/** Libraries set how many lines an error's stack has, and put it back. */
const STAYS_WRITABLE = "stackTraceLimit";

function freeze(value: object): void {
  if (!Object.hasOwn(value, STAYS_WRITABLE)) {
    Object.freeze(value);
    return;
  }
  for (const key of Reflect.ownKeys(value)) {
    if (key === STAYS_WRITABLE) continue;
    const own = Object.getOwnPropertyDescriptor(value, key)!;
    Object.defineProperty(
      value,
      key,
      "value" in own ? { writable: false, configurable: false } : { configurable: false },
    );
  }
  Object.preventExtensions(value);
}
