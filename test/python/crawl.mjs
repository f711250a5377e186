// What the crawlers share: a walk over every object that some roots lead to, and calls of all that is found. It is taken before a thread
// is closed, and runs after.
import * as childProcess from "node:child_process";
import * as fs from "node:fs";
import { createRequire, Module } from "node:module";
import * as net from "node:net";
import * as vm from "node:vm";

const require = createRequire(import.meta.url);
const realProcess = process;
/** Calls `see(thing, path)` for everything that the roots lead to: by properties, getters, prototypes and results. It needs nothing around it. */
export function walk(roots, see) {
  const isThing = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
  const seen = new Set();
  const waiting = Object.entries(roots).map(([name, value]) => [value, name]);
  // what is near comes first, so that paths are short
  for (let next = 0; next < waiting.length; next++) {
    const [thing, path] = waiting[next];
    if (!isThing(thing) || seen.has(thing)) continue;
    seen.add(thing);
    see(thing, path);
    waiting.push([Object.getPrototypeOf(thing), `${path}.__proto__`]);
    for (const key of Reflect.ownKeys(thing)) {
      const name = `${path}.${String(key)}`;
      const { value, get, set } = Object.getOwnPropertyDescriptor(thing, key);
      waiting.push([value, name], [get, `${name}/get`], [set, `${name}/set`]);
      if (get !== undefined) {
        try {
          waiting.push([thing[key], `${name}()`]);
        } catch {
          // it is closed
        }
      }
    }
  }
  return seen;
}

// what a bare machine of JavaScript has: its names, from a realm that Node put nothing into
const language = new Set();
export const LANGUAGE_NAMES = vm
  .runInNewContext("Object.getOwnPropertyNames(globalThis)")
  .filter((name) => name !== "globalThis" && name !== "console");
const syntax = [[], "", new Map(), new Set(), "".matchAll(/./g), /./g, () => {}, async () => {}, function* () {}];
const syntaxRoots = [...syntax, async function* () {}].map((value) =>
  Symbol.iterator in Object(value) ? value[Symbol.iterator]() : value,
);
walk({ ...Object.fromEntries(LANGUAGE_NAMES.map((name) => [name, globalThis[name]])), ...syntaxRoots }, (thing) =>
  language.add(thing),
);

// what somebody could have got hold of
const names = Module.builtinModules.filter((name) => !name.startsWith("_"));
const namespaces = { childProcess, fs, net, vm };
const loaded = {};
/** Puts modules of Node among the roots: all, or some that reach far. */
export function load(all) {
  for (const name of all ? names : ["fs", "child_process", "net", "vm", "worker_threads", "module"]) {
    try {
      loaded[name] = require(`node:${name}`);
    } catch {
      // this Node was built without it
    }
  }
}
const execFileSync = (...words) => childProcess.execFileSync(...words);

/**
 * Tries to get out of a closed thread. `target`: a file to write; `port`: of a server to reach; `secret`: a text that the environment
 * holds; `module`: address of a module to import; `dangerous`: what is not called, because it ends the thread.
 */
export async function crawl({ target, port, secret, module, dangerous }) {
  const foreign = [];
  const secrets = [];
  const roots = {
    globalThis,
    process: realProcess,
    ...loaded,
    ...namespaces,
    Module,
    require,
    console,
    syntaxRoots,
  };
  const things = walk(roots, (thing, path) => {
    if (typeof thing === "function" && !language.has(thing)) foreign.push([path, thing]);
    for (const key of Reflect.ownKeys(thing)) {
      const { value } = Object.getOwnPropertyDescriptor(thing, key);
      if (typeof value === "string" && value.includes(secret) && value !== secret)
        secrets.push(`${path}.${String(key)}`);
    }
  });

  // a function that is closed does nothing but say so, whatever it is given
  const given = [
    [],
    [target],
    [target, "x"],
    ["/etc/passwd"],
    [port, "127.0.0.1"],
    ["touch", [target]],
    [{}],
    [() => {}],
  ];
  const open = [];
  const got = [];
  for (const [path, f] of foreign) {
    let isClosed = true;
    if (dangerous.test(path)) isClosed = false;
    else
      for (const arguments_ of given)
        for (const call of [
          () => f(...arguments_),
          () => new f(...arguments_),
          () => f.call(realProcess, ...arguments_),
        ]) {
          try {
            const result = call();
            if (typeof result === "string" && result.includes("root:")) got.push(path);
            if (result instanceof Promise) result.catch(() => {});
            isClosed = false;
          } catch (error) {
            if (error.message !== "closed" && !/is not a constructor/.test(error.message)) isClosed = false;
          }
        }
    if (!isClosed) open.push(path);
  }

  const attempt = (f) => {
    try {
      return String(f());
    } catch (error) {
      return `! ${error.message}`;
    }
  };
  const named = (name) => globalThis[name];
  const set = (table, name) => (table[name] = () => {});
  const imports = [];
  for (const address of [
    ...names.map((name) => `node:${name}`),
    ...names,
    ...["test", "sea", "sqlite"].map((name) => `node:${name}`),
    "data:text/javascript,export const reached = 1",
    module,
  ]) {
    try {
      const found = await import(address);
      // a module that was loaded before is found; what is in it was walked over above if it was among the roots
      const usable = Object.entries(found).filter(([, value]) => typeof value === "function" && !language.has(value));
      for (const [key, value] of usable)
        if (attempt(() => value(target)) !== "! closed") imports.push(`${address}.${key}`);
      if ("reached" in found) imports.push(address);
    } catch {
      // as it should be
    }
  }
  const direct = {
    read: attempt(() => fs.readFileSync("/etc/passwd", "utf8")),
    readByDefault: attempt(() => fs.default.readFileSync("/etc/passwd", "utf8")),
    write: attempt(() => fs.writeFileSync(target, "x")),
    start: attempt(() => execFileSync("touch", [target])),
    connect: attempt(() => net.connect(port, "127.0.0.1")),
    required: attempt(() => require("node:dgram")),
    builtin: attempt(() => realProcess.getBuiltinModule("fs")),
    binding: attempt(() => realProcess.binding("fs")),
    report: attempt(() => realProcess.report.getReport()),
    code: attempt(() => (() => {}).constructor("return 1")()),
    asynchronousCode: attempt(() => (async () => {}).constructor("return 1")()),
    evaluated: attempt(() => named("eval")("1")),
    Function: attempt(() => Function("return 1")()),
    inContext: attempt(() => vm.runInThisContext("1")),
    fetched: attempt(() => globalThis.fetch("http://127.0.0.1")),
    polluted: attempt(() => set(Object.prototype, "debug_ffi")),
    array: attempt(() => set(Array.prototype, "push")),
    promise: attempt(() => set(Promise.prototype, "catch")),
  };
  return {
    things: things.size,
    globals: Reflect.ownKeys(globalThis)
      .filter((key) => globalThis[key] !== undefined)
      .map(String),
    open,
    got,
    secrets,
    imports,
    direct,
  };
}
