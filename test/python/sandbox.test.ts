/** The walls around a program: no host file, variable, process or connection is in reach, whatever it tries. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope as built } from "../built.ts";
import { folderWith, ROOT, vramscope } from "../helpers.ts";

const { run } = built;

/** What `expression` gives in a program, or the name of the error that it ends with. */
const ATTEMPT = `
def attempt(name, f):
    try:
        print(name, repr(f()))
    except BaseException as e:
        print(name, "!", type(e).__name__)

`;

async function attempts(program: string): Promise<Record<string, string>> {
  const result = await run({ script: "attempts.py", source: ATTEMPT + program, timeoutSeconds: 60 });
  expect([result.status, result.errorText]).toEqual(["ok", null]);
  return Object.fromEntries(
    result.stdout
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]),
  );
}

const secrets = folderWith({
  "secret.py": "SECRET = 1\n",
  "work/.hidden.json": "{}",
  "work/own.txt": "own\n",
  "work/key.pem": "key",
});

describe("a program", () => {
  it("imports nothing that leads to JavaScript", async () => {
    const names = [
      "js",
      "pyodide_js",
      "pyodide",
      "pyodide.code",
      "pyodide.ffi",
      "_pyodide",
      "_pyodide_core",
      "micropip",
      "_ctypes",
    ];
    const found = await attempts(
      `import importlib\nfor name in ${JSON.stringify(names)}:\n    attempt(name, lambda: importlib.import_module(name))\n`,
    );
    expect(found).toEqual(Object.fromEntries(names.map((name) => [name, "! ModuleNotFoundError"])));
  });

  it("has the names of ctypes, and nothing behind them", async () => {
    const found = await attempts(`
import ctypes, ctypes.util
attempt("size", lambda: ctypes.sizeof(ctypes.c_int64 * 3))
attempt("load", lambda: ctypes.CDLL("libc.so.6"))
attempt("loader", lambda: ctypes.cdll.LoadLibrary("libc.so.6"))
attempt("api", lambda: ctypes.pythonapi.PyLong_AsLong)
attempt("address", lambda: ctypes.string_at(4096, 16))
attempt("cast", lambda: ctypes.cast(4096, ctypes.POINTER(ctypes.c_char)))
attempt("memory", lambda: (ctypes.c_char * 16).from_address(4096))
attempt("find", lambda: ctypes.util.find_library("c"))
`);
    const refused = { load: "! OSError", loader: "! OSError", api: "! AttributeError", address: "! OSError" };
    expect(found).toEqual({ size: "24", ...refused, cast: "! OSError", memory: "! OSError", find: "None" });
  });

  it("sees no host file, and changes none", async () => {
    const marker = join(secrets, "written-by-program");
    const found = await attempts(`
import os, glob
attempt("passwd", lambda: open("/etc/passwd").read())
attempt("source", lambda: open(${JSON.stringify(join(ROOT, "package.json"))}).read())
attempt("environ", lambda: open("/proc/self/environ").read())
attempt("root", lambda: sorted(os.listdir("/")))
attempt("above", lambda: glob.glob("/home/user/../../**/secret.py", recursive=True))
attempt("write", lambda: os.makedirs(${JSON.stringify(secrets)}) or open(${JSON.stringify(marker)}, "w").write("x"))
`);
    expect(found).toMatchObject({
      passwd: "! FileNotFoundError",
      source: "! FileNotFoundError",
      environ: "! FileNotFoundError",
      root: "['dev', 'home', 'lib', 'proc', 'tmp']",
      above: "[]",
    });
    expect(existsSync(marker)).toBe(false);
  });

  it("sees of its folder no secrets, and changes nothing there", async () => {
    writeFileSync(
      join(secrets, "work", "main.py"),
      'import os\nprint(sorted(os.listdir(".")))\nopen("own.txt", "w").write("changed")\nopen("new.txt", "w").write("new")\n',
    );
    const result = await run({ script: join(secrets, "work", "main.py") });
    expect(result.stdout).toBe("['main.py', 'own.txt']\n");
    expect(readFileSync(join(secrets, "work", "own.txt"), "utf8")).toBe("own\n");
    expect(existsSync(join(secrets, "work", "new.txt"))).toBe(false);
  });

  it("sees no variable of the host", async () => {
    process.env["VRAMSCOPE_TEST_SECRET"] = "secret";
    try {
      expect(
        await attempts(
          `import os\nattempt("env", lambda: sorted(os.environ))\nattempt("get", lambda: os.getenv("PATH"))\n`,
        ),
      ).toEqual({
        env: "['HOME', 'USER']",
        get: "None",
      });
    } finally {
      delete process.env["VRAMSCOPE_TEST_SECRET"];
    }
  });

  it("starts no process", async () => {
    const marker = join(secrets, "process-ran");
    const found = await attempts(`
import os, posix, subprocess
attempt("system", lambda: os.system("touch ${marker}"))
attempt("posix", lambda: posix.system("touch ${marker}") != 0)
attempt("popen", lambda: os.popen("id").read())
attempt("subprocess", lambda: subprocess.run(["id"]))
attempt("fork", lambda: os.fork())
attempt("exec", lambda: os.execv("/bin/id", ["id"]))
attempt("spawn", lambda: os.posix_spawn("/bin/id", ["id"], {}))
`);
    expect(found).toEqual({
      // touch is answered inside, where there is no such folder
      system: "256",
      posix: "True",
      // as a shell says it that has no such program
      popen: "! FileNotFoundError",
      subprocess: "! FileNotFoundError",
      fork: "! OSError",
      exec: "! OSError",
      spawn: expect.stringMatching(/^! /),
    });
    expect(existsSync(marker)).toBe(false);
  });

  it("opens no connection", async () => {
    let connections = 0;
    const server = createServer((_, response) => void response.end("hello"));
    server.on("connection", () => (connections += 1));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    try {
      const found = await attempts(`
import socket, urllib.request, http.client
attempt("socket", lambda: socket.create_connection(("127.0.0.1", ${port}), timeout=2))
attempt("url", lambda: urllib.request.urlopen("http://127.0.0.1:${port}/", timeout=2).read())
attempt("dns", lambda: socket.create_connection(("example.com", 80), timeout=2))
def http_client():
    connection = http.client.HTTPConnection("127.0.0.1", ${port}, timeout=2)
    connection.request("GET", "/")
    return connection.getresponse().read()
attempt("http", http_client)
`);
      for (const [name, outcome] of Object.entries(found))
        expect([name, outcome]).toEqual([name, expect.stringMatching(/^! /)]);
      expect(connections).toBe(0);
    } finally {
      server.close();
    }
  });

  it("finds no JavaScript object, however it looks", async () => {
    const found = await attempts(`
import gc, types
from torch import _C

gc.unfreeze()
seen, stack = {}, [gc.get_objects(), object]
while stack:
    o = stack.pop()
    if id(o) in seen:
        continue
    seen[id(o)] = o
    stack.extend(gc.get_referents(o))
    if isinstance(o, type):
        stack.extend(type.__subclasses__(o))

def is_theirs(o):
    names = [c.__module__ for c in type(o).__mro__] if type(o) is not types.BuiltinFunctionType else [o.__module__]
    return any(str(name).partition(".")[0] in ("pyodide", "_pyodide", "_pyodide_core", "js") for name in names)

theirs = [type(o).__qualname__ for o in seen.values() if is_theirs(o) and not isinstance(o, type)]
attempt("all", lambda: len(seen) > 50_000)
# the value that stands for null has no object of JavaScript in it
attempt("theirs", lambda: [name for name in theirs if name != "JsNull"])
attempt("kinds", lambda: sorted({type(f).__name__ for f in vars(_C._js).values()}))
attempt("selves", lambda: {f.__self__ for f in vars(_C._js).values()})
attempt("error", lambda: _C._js.meta(999999))
try:
    _C._js.meta(999999)
except Exception as error:
    attempt("mro", lambda: [c.__name__ for c in type(error).__mro__])
    attempt("cause", lambda: (error.__cause__, error.__context__, vars(error)))
`);
    expect(found).toEqual({
      all: "True",
      theirs: "[]",
      kinds: "['builtin_function_or_method']",
      selves: "{None}",
      error: "! RuntimeError",
      mro: "['RuntimeError', 'Exception', 'BaseException', 'object']",
      cause: "(None, None, {})",
    });
  });

  it("gains nothing by asking for the blocked modules again", async () => {
    const marker = join(secrets, "ctypes-ran");
    const script = `require('fs').writeFileSync(${JSON.stringify(marker)}, 'x')`;
    const program = `
import sys
for name in ("ctypes", "_ctypes", "js", "pyodide_js"):
    sys.modules.pop(name, None)
try:
    import js
except ImportError:
    print("no js", flush=True)
import ctypes
function = ctypes.pythonapi.emscripten_run_script
print("found", flush=True)
function(${JSON.stringify(script)}.encode())
print("ran")
`;
    const { stdout, status } = await run({ script: "a.py", source: program, timeoutSeconds: 30 });
    expect(stdout.startsWith("no js\n")).toBe(true);
    expect(stdout).not.toContain("ran");
    expect(status).not.toBe("ok");
    expect(existsSync(marker)).toBe(false);
  });

  it("ends by itself only, not the process that runs it", async () => {
    const folder = folderWith({ "exit.py": "import os\nos._exit(3)\n", "abort.py": "import os\nos.abort()\n" });
    for (const script of ["exit.py", "abort.py"])
      expect((await vramscope(["run", script], { cwd: folder })).code).toBe(3);
  });
});
