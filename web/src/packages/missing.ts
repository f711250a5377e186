/** Which packages a program would have needed, read from how it ended. */

import { table } from "../../../src/base/table.ts";
import { isBuiltIn } from "../../../src/packages/built-in.ts";

/** Names under which indexes know packages that are imported by another. */
const ON_INDEX = table<string>({
  bs4: "beautifulsoup4",
  dateutil: "python-dateutil",
  dotenv: "python-dotenv",
  git: "gitpython",
  google: "protobuf",
  jwt: "pyjwt",
  lightning_fabric: "lightning-fabric",
  skimage: "scikit-image",
});

const NOT_THERE = /^ModuleNotFoundError: No module named '([A-Za-z_]\w*)/gm;
/** Others of which the program has not used anything yet: each with the line that imports it. */
const OTHERS = /^vramscope: imported and not here, either: (.*)$/gm;
const SHORT_FORM = /^vramscope: this is the built-in short form of ([A-Za-z_]\w*)\./gm;

/** Packages by their names on an index, each once. */
export function missingPackages(errorText: string | null): readonly string[] {
  if (errorText === null) return [];
  const found = [NOT_THERE, SHORT_FORM].flatMap((form) => [...errorText.matchAll(form)].map(([, name]) => name!));
  for (const [, list] of errorText.matchAll(OTHERS))
    found.push(...[...list!.matchAll(/([A-Za-z_]\w*) \([^)]*\)/g)].map(([, name]) => name!));
  const named = found.map((name) => ON_INDEX[name] ?? name);
  return [...new Set(named)].filter((name) => !isBuiltIn(name));
}
