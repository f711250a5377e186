/** The language's own objects after they were frozen: nothing changes them, and libraries can still make their own. */

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const INTRINSICS = fileURLToPath(new URL("../../dist/python/intrinsics.js", import.meta.url));

/** What a process of its own prints that froze its intrinsics. */
function afterwards(text: string): unknown {
  const source = `const { freezeIntrinsics } = await import(${JSON.stringify(INTRINSICS)}); freezeIntrinsics(); ${text}`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" }));
}

test("objects and functions of the language are frozen, those without a name, too", () => {
  const open = afterwards(`
    const named = [Object, Function, Array, Map, Set, Promise, RegExp, Date, Float64Array, ArrayBuffer, Math, JSON, Reflect, Atomics]
      .flatMap((value) => [value, value.prototype]);
    const hidden = [Object.getPrototypeOf(Float64Array), Object.getPrototypeOf([][Symbol.iterator]()), Object.getPrototypeOf(async () => {})];
    const methods = [Array.prototype.push, Map.prototype.get, Function.prototype.call];
    const all = [...named, ...hidden, ...methods].filter((value) => value !== undefined);
    console.log(JSON.stringify(all.filter((value) => !Object.isFrozen(value)).map((value) => String(value))));
  `);
  expect(open).toEqual([]);
});

test("no property is set, added or taken away", () => {
  const done = afterwards(`
    const tried = {
      set: () => { Array.prototype.push = 1; },
      add: () => { Object.prototype.own = 1; },
      element: () => { Array.prototype[0] = 1; },
      define: () => { Object.defineProperty(Map.prototype, "get", { value: 1 }); },
      remove: () => { delete Float64Array.prototype.constructor; },
      prototype: () => { Object.setPrototypeOf(Array.prototype, null); },
    };
    const done = Object.entries(tried).filter(([, attempt]) => { try { attempt(); return true; } catch { return false; } });
    console.log(JSON.stringify(done.map(([name]) => name)));
  `);
  expect(done).toEqual([]);
});

test("an object still gets a toString of its own, and an error as many lines as somebody wants", () => {
  const own = afterwards(`
    const value = {};
    value.toString = () => "own";
    Error.stackTraceLimit = 3;
    console.log(JSON.stringify([String(value), Error.stackTraceLimit]));
  `);
  expect(own).toEqual(["own", 3]);
});
