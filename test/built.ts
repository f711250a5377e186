/** The built package, as users import it; its types are those of the sources, so that types check before a build. */

const at = (path: string): string => new URL(`../dist/${path}`, import.meta.url).href;

export const vramscope = (await import(at("index.js"))) as typeof import("../src/index.ts");
export const engine = (await import(at("engine.js"))) as typeof import("../src/engine.ts");
export const formats = (await import(at("formats/index.js"))) as typeof import("../src/formats/index.ts");
