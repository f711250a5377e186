// Builds dist/: TypeScript to JavaScript, what starts in one file each, the stand-ins as one file, and the warm-start snapshot.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { bundle } from "./bundle.mjs";
import { closeLines } from "./close-lines.mjs";
import { plainTypes } from "./plain-types.mjs";
import { keepReachedTypes } from "./reached-types.mjs";
import { withoutTypes } from "./strip-types.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
// --out FOLDER builds elsewhere; --dev goes on where types do not check yet
const out = process.argv.indexOf("--out");
const dist = join(root, out > 0 ? process.argv[out + 1] : "dist");
const dev = process.argv.includes("--dev");
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");

rmSync(dist, { recursive: true, force: true });
// declarations say what things are for; the code that runs says it once less, which keeps the package small
const emitted = [
  ["--emitDeclarationOnly"],
  ["--declaration", "false", "--declarationMap", "false", "--removeComments"],
];
for (const options of emitted)
  try {
    execFileSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", dist, ...options], {
      stdio: "inherit",
      cwd: root,
    });
  } catch (error) {
    if (!dev) process.exit(error.status ?? 1);
  }

// the compiler takes declarations as they are and does not hand them on
copyFileSync(join(root, "src", "ops", "operators.d.ts"), join(dist, "ops", "operators.d.ts"));
plainTypes(dist);
closeLines(dist);
if (out < 0) keepReachedTypes(root);

const files = {};
const collect = (folder, prefix) => {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) {
      if (name !== "__pycache__") collect(path, `${prefix}${name}/`);
    } else if (/\.(py|txt)$/.test(name)) {
      const text = readFileSync(path, "utf8");
      files[prefix + name] = name.endsWith(".py") ? withoutTypes(text) : text;
    }
  }
};
collect(join(root, "python"), "");
// published models are known by hub id inside, too
const { CATALOGUE_LINES } = await import(pathToFileURL(join(dist, "models", "catalogue-data.js")));
files["vramscope_hub/published.txt"] = CATALOGUE_LINES.join("\n");
// and what words of an id say of the file behind it
const { namedFormatsText } = await import(pathToFileURL(join(dist, "models", "named-formats.js")));
const { wordsText } = await import(pathToFileURL(join(dist, "models", "catalogue.js")));
files["vramscope_hub/formats.txt"] = namedFormatsText();
files["vramscope_hub/words.txt"] = wordsText();
mkdirSync(join(dist, "python-files"), { recursive: true });
writeFileSync(join(dist, "python-files", "stand-ins.json.gz"), gzipSync(JSON.stringify(files)));

await bundle(join(root, "src"), dist);

try {
  const { opTable } = await import(pathToFileURL(join(dist, "python", "op-table.js")));
  opTable();
} catch (error) {
  console.error(`build: a row cannot be read: ${error.message}`);
  process.exit(1);
}
const { buildSnapshot } = await import(pathToFileURL(join(dist, "python", "interpreter.js")));
const { INSTALLED_PARTS } = await import(pathToFileURL(join(dist, "python", "files.js")));
try {
  const snapshot = await buildSnapshot(INSTALLED_PARTS);
  const path = join(dist, "python-files", "interpreter.snapshot");
  const { CHECKSUM_ENDING, checksumOf, packedImage } = await import(
    pathToFileURL(join(dist, "python", "memory-image.js"))
  );
  const image = packedImage(snapshot);
  writeFileSync(path + CHECKSUM_ENDING, checksumOf(image));
  writeFileSync(path, image);
} catch (error) {
  // the runtime's errors quote its whole source: the last lines say what happened
  const text = String(error?.stack ?? error);
  console.error(text.slice(-3000));
  process.exit(1);
}
