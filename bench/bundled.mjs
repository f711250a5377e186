// Sources of the web page as one module that Node can run.
import { build } from "vite";
import { root } from "../scripts/ensure.mjs";

/** Everything that the given files export. @param paths below the repository's root */
export async function bundled(paths) {
  const entry = "virtual:bundled";
  const { output } = await build({
    configFile: false,
    root,
    logLevel: "error",
    plugins: [
      {
        name: "bundled",
        resolveId: (id) => (id === entry ? `\0${entry}` : undefined),
        load: (id) => (id === `\0${entry}` ? paths.map((path) => `export * from "/${path}";`).join("\n") : undefined),
      },
    ],
    build: { ssr: true, write: false, target: "node20", rollupOptions: { input: entry } },
  });
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`);
}
