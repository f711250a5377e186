// Makes one file of the modules that each thread loads when it starts: hundreds of small files take longer to load than to run.
// The command line comes in a few files, so that a command loads its own part only.
import { join } from "node:path";
import { build } from "vite";
import { shortLines } from "./short-lines.mjs";

/** Each lies as deep as the module it is made from, because some find files beside themselves. */
const BUNDLES = [
  { folder: "python", entries: ["relay"] },
  { folder: "python", entries: ["worker"] },
  { folder: "cli", entries: ["main"] },
];

/** Writes the bundles over the modules of the same names in `dist`. `source`: the folder of the TypeScript modules. */
export async function bundle(source, dist) {
  for (const { folder, entries } of BUNDLES) {
    await build({
      configFile: false,
      root: source,
      logLevel: "error",
      plugins: [shortLines()],
      ssr: { noExternal: true, external: ["pyodide"] },
      build: {
        ssr: true,
        target: "node20",
        outDir: dist,
        emptyOutDir: false,
        copyPublicDir: false,
        minify: false,
        rolldownOptions: {
          input: Object.fromEntries(entries.map((name) => [name, join(source, folder, `${name}.ts`)])),
          output: {
            entryFileNames: `${folder}/[name].js`,
            chunkFileNames: `${folder}/part-[name].js`,
            // without comments and white space, and with the names of the sources: a trace stays readable
            minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
          },
        },
      },
    });
  }
}
