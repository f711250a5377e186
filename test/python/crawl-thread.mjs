// A thread that closes itself as a program's thread does, and then walks over every object that its global object, Node's `process`
// and Node's modules lead to. It runs without Node's permission model, so that this wall is tried by itself.
import * as childProcess from "node:child_process";
import * as fs from "node:fs";
import { createRequire, Module } from "node:module";
import * as net from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import * as vm from "node:vm";

const { dist, target, secret, port, loads, module } = workerData;
const { closeThread } = await import(`${dist}/python/sandbox.js`);
const { closeNode } = await import(`${dist}/python/node-sandbox.js`);

const require = createRequire(import.meta.url);
const post = parentPort.postMessage.bind(parentPort);
const realProcess = process;
const isThing = (value) => (typeof value === "object" && value !== null) || typeof value === "function";

/** Calls `see(thing, path)` for everything that the roots lead to: by properties, getters, prototypes and results. */
function walk(roots, see) {
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
const bare = vm.runInNewContext("Object.getOwnPropertyNames(globalThis)");
const syntax = [[], "", new Map(), new Set(), "".matchAll(/./g), /./g, () => {}, async () => {}, function* () {}];
const syntaxRoots = [...syntax, async function* () {}].map((value) =>
  isThing(value) && Symbol.iterator in value ? value[Symbol.iterator]() : value,
);
const languageNames = bare.filter((name) => name !== "globalThis" && name !== "console");
walk({ ...Object.fromEntries(languageNames.map((name) => [name, globalThis[name]])), ...syntaxRoots }, (thing) =>
  language.add(thing),
);

// what somebody could have got hold of
const names = Module.builtinModules.filter((name) => !name.startsWith("_"));
const namespaces = { childProcess, fs, net, vm };
const loaded = {};
for (const name of loads ? names : ["fs", "child_process", "net", "vm", "worker_threads", "module"]) {
  try {
    loaded[name] = require(`node:${name}`);
  } catch {
    // this Node was built without it
  }
}
const execFileSync = (...words) => childProcess.execFileSync(...words);

parentPort.once("message", () => crawl().catch((error) => post({ failed: String(error.stack) })));

async function crawl() {
  const before = new Set([globalThis, ...syntaxRoots]);
  closeNode();
  closeThread();

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
    before: [...before],
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
  // these end the thread or wait for later
  const dangerous = /_fatalException|nextTick|\.(exit|reallyExit)$/;
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
  post({
    things: things.size,
    globals: Reflect.ownKeys(globalThis)
      .filter((key) => globalThis[key] !== undefined)
      .map(String),
    open,
    got,
    secrets,
    imports,
    direct,
  });
}
post("ready");
