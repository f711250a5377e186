/** The shape of the page's code: parts import downwards, pages do not know each other, and what is fetched first stays small. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../helpers.ts";

const SOURCE = join(ROOT, "web", "src");

/** Lowest first. Pages stand side by side: none imports another. */
const PARTS: readonly (readonly string[])[] = [
  ["state", "theme", "words"],
  ["shell", "offline"],
  ["packages"],
  ["engine"],
  ["chart", "editor"],
  ["explain"],
  ["playground", "estimate", "viewer"],
  ["main.tsx", "globals.d.ts"],
];
const PAGES = new Set(["playground", "estimate", "viewer"]);
/** Fetched before anything is painted: of the engine only what is small may be in them. */
const FIRST = new Set(["state", "theme", "words", "shell", "offline", "main.tsx"]);
const SMALL = /^src\/(base\/|trace\/model\.ts$)/;

const LONGEST_FILE = 400;

interface Import {
  readonly path: string;
  readonly isType: boolean;
  readonly isLazy: boolean;
}

interface PageFile {
  /** Path below web/src/. */
  readonly path: string;
  readonly part: string;
  readonly text: string;
  /** Paths below the project's folder, or names of packages. */
  readonly imports: readonly Import[];
}

const IMPORT =
  /^(?:import|export)\s(type\s)?[^;'"]*?(?:from\s+)?["']([^"']+)["'];|\bimport\(\s*["']([^"']+)["']\s*\)/gm;

const files: readonly PageFile[] = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => {
    const text = readFileSync(join(SOURCE, path), "utf8");
    const imports = [...text.matchAll(IMPORT)].map(([, type, still, lazy]): Import => {
      const specifier = (still ?? lazy)!;
      const full = specifier.startsWith(".")
        ? relative(ROOT, resolve(SOURCE, dirname(path), specifier)).replaceAll("\\", "/")
        : specifier;
      return { path: full, isType: type !== undefined, isLazy: lazy !== undefined };
    });
    return { path, part: path.split("/")[0]!, text, imports };
  });

const partOf = (path: string): string | null => /^web\/src\/([^/]+)/.exec(path)?.[1] ?? null;
const level = (part: string): number => PARTS.findIndex((parts) => parts.includes(part));

describe("the page's parts", () => {
  it("hold every file", () => {
    expect(files.length).toBeGreaterThan(60);
    expect(files.filter(({ part }) => level(part) === -1).map(({ path }) => path)).toEqual([]);
  });

  it("import downwards only, and pages do not import pages", () => {
    const wrong = files.flatMap(({ path, part, imports }) =>
      imports
        // the frame fetches each page when it is first shown
        .filter(({ path: to, isLazy }) => partOf(to) !== null && !(part === "shell" && isLazy))
        .filter(({ path: to }) => {
          const other = partOf(to)!;
          if (other === part) return false;
          return level(other) > level(part) || (PAGES.has(part) && PAGES.has(other));
        })
        .map(({ path: to }) => `${path} -> ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it("that are fetched first take little of the engine along", () => {
    const heavy = files
      .filter(({ part }) => FIRST.has(part))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ path: to, isType, isLazy }) => to.startsWith("src/") && !isType && !isLazy && !SMALL.test(to))
          .map(({ path: to }) => `${path} -> ${to}`),
      );
    expect(heavy).toEqual([]);
  });

  it("need neither Node nor another origin", () => {
    const foreign = files.flatMap(({ path, text, imports }) => [
      ...imports.filter(({ path: to }) => to.startsWith("node:")).map(({ path: to }) => `${path} -> ${to}`),
      ...[...text.matchAll(/["'`](https?:\/\/(?!www\.w3\.org\/)[^"'`]*)/g)].map(([, url]) => `${path}: ${url}`),
    ]);
    expect(foreign).toEqual([]);
  });
});

describe("the page's files", () => {
  it("begin with a comment that says what they are", () => {
    expect(files.filter(({ text }) => !text.startsWith("/**")).map(({ path }) => path)).toEqual([]);
  });

  it(`have at most ${LONGEST_FILE} lines`, () => {
    const long = files.filter(({ text }) => text.split("\n").length - 1 > LONGEST_FILE).map(({ path }) => path);
    expect(long).toEqual([]);
  });
});
