/** Attempts to get out: programs that were written to escape, calls that no stand-in would make, and what the system's own wall holds. */

import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { vramscope as built } from "../built.ts";
import { CLI, folderWith, ROOT, start } from "../helpers.ts";

const { run } = built;
const { confinedCommand } = (await import(
  new URL("../../dist/python/confinement.js", import.meta.url).href
)) as typeof import("../../src/python/confinement.ts");

/** Node and, where VRAMSCOPE_NODES names them (separated by colons), other releases of it. */
const NODES = [process.execPath, ...(process.env["VRAMSCOPE_NODES"] ?? "").split(":").filter((path) => path !== "")];
const SECRET = "hunter2-of-the-host";
const RED = join(ROOT, "..", "shared", "red", "s1");

describe.each(NODES)("with %s", (node) => {
  it.skipIf(!existsSync(RED))("the programs that once got out get nothing", async () => {
    for (const name of readdirSync(RED).filter((file) => /^(escape|probe)/.test(file))) {
      const { out, err, code } = await start(node, [CLI, "run", "--report", "none", join(RED, name), "--", "1"], {
        env: { RED_TEAM_SECRET: SECRET },
      });
      expect([name, code, out.includes(SECRET)]).toEqual([name, 3, false]);
      expect(err).toMatch(/AttributeError|ImportError|IndexError/);
    }
    expect(existsSync(join(RED, "pwned-report.json"))).toBe(false);
  });

  it("programs of other kinds get nothing, either", async () => {
    const folder = folderWith({
      "main.py": `
import gc, os, posix, sys, types
import importlib.machinery

def attempt(name, f):
    try:
        print("refused" if (result := f()) is None else "got", name, repr(result)[:200])
    except BaseException as e:
        print("refused", name, type(e).__name__)

gc.unfreeze()
classes, waiting = [], [object]
while waiting:
    c = waiting.pop()
    classes.append(c)
    waiting.extend(s for s in type.__subclasses__(c) if s not in classes)
js = [c for c in classes if any(b.__name__.startswith("Js") and b.__name__ != "JSONDecodeError" for b in c.__mro__[:-1])]
for c in js:
    if c.__name__ in ("JsNull", "JsBigInt"):
        continue
    for make in (lambda: c("console.log(1)"), lambda: object.__new__(c), lambda: c.__new__(c)):
        try:
            made = make()
        except BaseException:
            continue
        for name in "constructor __proto__ js_error stack name message then to_py new typeof object_keys call".split():
            attempt(f"{c.__name__}.{name}", lambda: getattr(made, name))
        attempt(f"{c.__name__}()", lambda: made())
        attempt(f"{c.__name__}[]", lambda: made[0])
for function in [f for f in gc.get_objects() if type(f) is types.FunctionType and "pyodide" in f.__code__.co_filename]:
    for arguments in ((), ("1",), (os, "1")):
        attempt("function", lambda: function(*arguments))
for name in ("_pyodide_core", "_ctypes", "js"):
    attempt("builtin " + name, lambda: importlib.machinery.BuiltinImporter.load_module(name))
attempt("extension", lambda: importlib.machinery.ExtensionFileLoader("x", "/tmp/x.so").create_module(None))
attempt("fork_exec", lambda: __import__("_posixsubprocess").fork_exec(*[None] * 23))
attempt("system", lambda: posix.system("id") == 0 or 1 / 0)
attempt("mknod", lambda: os.mknod("/tmp/tty", 0o20666, os.makedev(5, 0)))
attempt("environ", lambda: open("/proc/self/environ").read())
attempt("kill", lambda: os.kill(1, 0))
`,
    });
    const { out } = await start(node, [CLI, "run", "--report", "none", join(folder, "main.py")], {
      env: { RED_TEAM_SECRET: SECRET },
    });
    expect(out.match(/^got (?!JsFuncSignature|JsGenericAlias|Js2Py|JsMethodCall).*/gm)).toBeNull();
    expect(out).toContain("refused kill");
  });

  it("programs find nothing around their project: links, folders above, archives, devices, processes", async () => {
    const outer = folderWith({
      "secret.txt": SECRET,
      "secretmod.py": `value = "${SECRET}"\n`,
      "project/evil.pth": "import sys; sys.pth_ran = True\n",
      "project/main.py": `
import asyncio, glob, importlib, importlib.util, os, signal, sys

def attempt(name, f):
    try:
        print("got" if (result := f()) else "nothing", name, repr(result)[:80])
    except BaseException as e:
        print("refused", name, type(e).__name__)

print("pth", hasattr(sys, "pth_ran"))
for path in "link.txt up/secret.txt root/etc/passwd passwd.txt environ.txt ../secret.txt ./up/../up/secret.txt //etc/passwd".split() \
    + "/proc/1/environ /proc/self/environ /proc/self/maps /proc/self/root/etc/passwd /dev/mem /dev/fd/3 /dev/tty /etc/hostname".split():
    attempt(path, lambda: open(path, errors="replace").read(99))
for path in ("up", "root", "/etc", "${process.cwd()}"):
    attempt(path, lambda: os.listdir(path))
for name in ("linked", "secretmod", "up.secretmod", "root.etc"):
    attempt(name, lambda: importlib.import_module(name))
for name in ("..secretmod", "../secretmod"):
    attempt(name, lambda: importlib.import_module(name, "project"))
outer = sys.argv[1]
attempt("spec", lambda: importlib.util.spec_from_file_location("x", outer + "/secretmod.py").loader.get_data(outer + "/secretmod.py"))
attempt("glob", lambda: glob.glob(outer + "/*"))
attempt("descriptors", lambda: [os.read(fd, 10) for fd in range(3, 64)])
for pid in (1, 2, -1, int(sys.argv[2])):
    attempt("kill", lambda: os.kill(pid, 15) or True)
loop = asyncio.new_event_loop()
attempt("connection", lambda: loop.run_until_complete(asyncio.open_connection("127.0.0.1", 80)))
attempt("process", lambda: loop.run_until_complete(asyncio.create_subprocess_exec("id")))
for name in ("pyodide.webloop", "_pyodide._base", "pyodide.ffi", "_ctypes"):
    attempt(name, lambda: importlib.import_module(name))
print("js", [name for name, module in sys.modules.items() if "pyodide" in name and module is not None])
`,
    });
    const project = join(outer, "project");
    for (const [name, target] of [
      ["link.txt", "../secret.txt"],
      ["linked.py", "../secretmod.py"],
      ["up", ".."],
      ["root", "/"],
      ["passwd.txt", "/etc/passwd"],
      ["environ.txt", "/proc/self/environ"],
    ] as const)
      symlinkSync(target, join(project, name));
    const words = [CLI, "run", "--report", "none", join(project, "main.py"), "--", outer, String(process.pid)];
    const { out, err } = await start(node, words, { env: { RED_TEAM_SECRET: SECRET } });
    expect(err).toBe("");
    expect(out.match(/^got.*$/gm)).toBeNull();
    expect(out).not.toContain(SECRET);
    expect(out).toMatch(/^pth False\n/);
    expect(out).toMatch(/^js \[\]$/m);
    // every attempt came to its end
    expect(out.match(/^(refused|nothing) /gm)).toHaveLength(39);
  });

  it("a process in the wall reads, writes, starts and reaches nothing, with all of Node in its hands", async () => {
    const server = createServer((socket) => socket.end("reached"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    // it must lie where the process may read
    const module = fileURLToPath(
      new URL(`../../dist/probe-${process.pid}-${NODES.indexOf(node)}.mjs`, import.meta.url),
    );
    const target = join(folderWith({}), "written");
    writeFileSync(
      module,
      `
import fs from "node:fs";
import net from "node:net";
import { execFileSync } from "node:child_process";
import { Worker } from "node:worker_threads";
const attempt = (f) => { try { return String(f()); } catch (error) { return "! " + error.code; } };
const imported = async (name, f) => { try { return String(await f(await import(name))); } catch (error) { return "! " + error.code; } };
const inThread = (code) => new Promise((done) => {
  try {
    const thread = new Worker(code, { eval: true });
    thread.on("message", done).on("error", (error) => done("! " + error.code));
  } catch (error) { done("! " + error.code); }
});
const found = {
  addon: attempt(() => process.dlopen({ exports: {} }, "/usr/lib/any.node")),
  wasi: await imported("node:wasi", ({ WASI }) => new WASI({ version: "preview1", preopens: { "/": "/" } })),
  inspector: await imported("node:inspector", ({ Session }) => new Session().connect()),
  thread: await inThread('const fs = require("fs"); try { fs.readFileSync("/etc/passwd"); require("worker_threads").parentPort.postMessage("read"); } catch (error) { require("worker_threads").parentPort.postMessage("! " + error.code); }'),
  threadStarts: await inThread('try { require("child_process").execFileSync("/bin/true"); require("worker_threads").parentPort.postMessage("ran"); } catch (error) { require("worker_threads").parentPort.postMessage("! " + error.code); }'),
  code: attempt(() => Function("return 1")()),

  environment: Object.keys(process.env).join(),
  secret: attempt(() => JSON.stringify(process.report.getReport().environmentVariables).includes(${JSON.stringify(SECRET)})),
  read: attempt(() => fs.readFileSync("/etc/passwd")),
  list: attempt(() => fs.readdirSync("/")),
  proc: attempt(() => fs.readFileSync("/proc/self/environ")),
  write: attempt(() => fs.writeFileSync(${JSON.stringify(target)}, "x")),
  start: attempt(() => execFileSync("/bin/true")),
  envFile: attempt(() => process.loadEnvFile("/etc/environment")),
  report: attempt(() => process.report.writeReport(${JSON.stringify(target)})),
};
const socket = net.connect(${port}, "127.0.0.1");
const done = (network) => { console.log(JSON.stringify({ ...found, network })); process.exit(); };
socket.on("data", () => done("reached")).on("error", () => done("refused"));
`,
    );
    try {
      const { command, args, env, cwd } = confinedCommand(module, [], [], node);
      const ran = promisify(execFile)(command, [...args], { env, cwd });
      const { stdout } = await ran;
      const found = JSON.parse(stdout) as Record<string, string>;
      const hasSpaces = await promisify(execFile)("unshare", ["--user", "--net", "--ipc", "true"]).then(
        () => true,
        () => false,
      );
      const denied = "! ERR_ACCESS_DENIED";
      expect(found).toMatchObject({ environment: "", secret: "false", read: denied, list: denied, proc: denied });
      expect(found).toMatchObject({ write: denied, start: denied, envFile: denied });
      // a thread of its own has what the process has
      expect(found).toMatchObject({ thread: denied, threadStarts: denied });
      expect(found["addon"]).toMatch(/^! ERR_(DLOPEN_DISABLED|ACCESS_DENIED)$/);
      expect(found).toMatchObject({ wasi: denied, inspector: denied, code: "! undefined" });
      expect(found["report"]).toMatch(/^(! |undefined)/);
      if (hasSpaces) expect(found["network"]).toBe("refused");
      expect(existsSync(target)).toBe(false);
    } finally {
      rmSync(module);
      server.close();
    }
  });
});

describe("the bridge", () => {
  it.each([[[]], [["op"]]])(
    "answers 100,000 hostile calls with numbers, texts and errors of Python: %j",
    async (argv) => {
      const source = readFileSync(new URL("hostile_calls.py", import.meta.url), "utf8");
      const { stdout } = await run({ script: "fuzz.py", source, argv, timeoutSeconds: 300 });
      expect(stdout).toBe("calls 100000 odd []\n");
    },
  );
});
