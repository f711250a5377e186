// `npm run build:web`: the static page in dist/web, with Python's parts. Builds the package first if it was not.
import { ensureBuilt, ensureInstalled, root } from "./ensure.mjs";

ensureInstalled();
ensureBuilt();
const { build } = await import("vite");
await build({ configFile: `${root}/web/vite.config.ts`, logLevel: "warn" });
