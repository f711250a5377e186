// `npm run build:web`: the static page in dist/web, with Python's parts. Builds the package first if it was not.
import { ensureBuilt, ensureInstalled, root } from "./ensure.mjs";

ensureInstalled();
ensureBuilt();
// Vite would build for development where a test asks for the page: without a service worker
process.env.NODE_ENV = "production";
const { build } = await import("vite");
await build({ configFile: `${root}/web/vite.config.ts`, logLevel: "warn" });
