/** Freezes the language's own objects, so that no program can put something of its own between our code and what it calls. */

import { LANGUAGE_NAMES } from "./ambient.ts";

type Table = Record<PropertyKey, unknown>;

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

/** Freezes the language's objects, as far as they lead to each other. Irreversible. */
export function freezeIntrinsics(): void {
  for (const [prototype, names] of OVERRIDDEN) for (const name of names) allowOverride(prototype, name);
  const seen = new Set<object>([globalThis]);
  const waiting: unknown[] = [...LANGUAGE_NAMES].map((name) => (globalThis as Table)[name]);
  waiting.push(...hiddenIntrinsics());
  while (waiting.length > 0) {
    const next = waiting.pop();
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

/**
 * Prototypes are frozen property by property: V8 gives an object that `Object.freeze` froze elements of another kind, and where a
 * prototype has those, no store into an array is compiled inline any more (the allocator then takes four to nine times as long).
 * All others are not: a property defined anew makes an object a dictionary, and `Math.max` a search in it.
 */
function freeze(value: object): void {
  if (!Object.hasOwn(value, "constructor") && !Object.hasOwn(value, STAYS_WRITABLE)) {
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
