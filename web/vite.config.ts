/** How the static page is built: one folder that works from any address, with Python's parts beside it. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { storedAnswers } from "./stored-answers.ts";
import { withoutTerminalWords } from "./terminal-words.ts";
import { shortLines } from "../scripts/short-lines.mjs";
import { readImage } from "../src/python/memory-image.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pyodide = `${root}node_modules/pyodide/`;
const built = `${root}dist/python-files/`;

/** What an interpreter needs, in a folder named after its content, so that browsers may keep it for ever. */
function pythonParts(): Plugin {
  const parts: Record<string, Buffer> = {};
  for (const name of ["pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"]) {
    parts[name] = readFileSync(pyodide + name);
  }
  parts["stand-ins.json"] = gunzipSync(readFileSync(`${built}stand-ins.json.gz`));
  // 45 MB of memory, mostly zeros: the browser unpacks it faster than most networks would bring it
  parts["interpreter.snapshot.gz"] = gzipSync(readImage(`${built}interpreter.snapshot`)!, { level: 6 });
  const hash = createHash("sha256");
  for (const [name, bytes] of Object.entries(parts)) hash.update(name).update(bytes);
  const folder = `python/${hash.digest("hex").slice(0, 12)}/`;
  return {
    name: "python-parts",
    config: () => ({ define: { __PYTHON_PARTS__: JSON.stringify(folder) } }),
    generateBundle() {
      for (const [name, source] of Object.entries(parts))
        this.emitFile({ type: "asset", fileName: folder + name, source });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = request.url?.split("?")[0]?.split(`/${folder}`)[1];
        if (name === undefined || parts[name] === undefined) return next();
        if (name.endsWith(".mjs")) response.setHeader("Content-Type", "text/javascript");
        if (name.endsWith(".wasm")) response.setHeader("Content-Type", "application/wasm");
        response.end(parts[name]);
      });
    },
  };
}

/** Pyodide mentions Node's modules, and loads them only there. */
function leaveNodeOut(): Plugin {
  return {
    name: "leave-node-out",
    enforce: "pre",
    resolveId: (id) => (id.startsWith("node:") ? { id, external: true } : null),
  };
}

/** The service worker under a name that stays, and the list of all files whose names change, which it keeps. */
function offlineParts(): Plugin {
  return {
    name: "offline-parts",
    apply: "build",
    buildStart() {
      this.emitFile({ type: "chunk", id: `${root}web/src/offline/service-worker.ts`, fileName: "sw.js" });
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const names = Object.keys(bundle).filter((name) => /^(?:assets|python)\//.test(name));
        this.emitFile({ type: "asset", fileName: "parts.json", source: JSON.stringify(names.sort()) });
      },
    },
  };
}

const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string };

export default defineConfig({
  root: `${root}web`,
  base: "./",
  plugins: [leaveNodeOut(), shortLines(), withoutTerminalWords(), pythonParts(), storedAnswers(root), offlineParts()],
  worker: { format: "es", plugins: () => [leaveNodeOut(), shortLines(), withoutTerminalWords()] },
  define: { __VERSION__: JSON.stringify(version) },
  build: {
    outDir: `${root}dist/web`,
    emptyOutDir: true,
    target: "es2023",
    chunkSizeWarningLimit: 1200,
  },
});
