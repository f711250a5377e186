/** The lock file: whole, so that `npm ci` installs the same everywhere, and bound to no registry. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./helpers.ts";

interface Entry {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as { packages: Record<string, Entry> };
const installed = Object.entries(lock.packages);

it("has an entry for everything that is asked for, on every platform", () => {
  const paths = new Set(installed.map(([path]) => path));
  const asked = installed.flatMap(([path, { dependencies, optionalDependencies, devDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).map((name) => ({ path, name })),
  );
  expect(asked.length).toBeGreaterThan(50);
  const found = ({ path, name }: { path: string; name: string }): boolean =>
    paths.has(`${path}/node_modules/${name}`) || paths.has(`node_modules/${name}`);
  expect(asked.filter((one) => !found(one))).toEqual([]);
});

it("knows the content of every package and names no registry", () => {
  const others = installed.filter(([path]) => path !== "");
  expect(others.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path)).toEqual([]);
  expect(others.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});

it("asks for what package.json asks for", () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Entry;
  const { dependencies, devDependencies } = lock.packages[""]!;
  expect({ dependencies, devDependencies }).toEqual({
    dependencies: manifest.dependencies,
    devDependencies: manifest.devDependencies,
  });
});
