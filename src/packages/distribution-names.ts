/** Distributions that are called otherwise than what one imports, by the name that is imported; as the Python Package Index has them. */

import { table } from "../base/table.ts";

const NAMES = table({
  attr: "attrs",
  bs4: "beautifulsoup4",
  dateutil: "python-dateutil",
  dotenv: "python-dotenv",
  git: "GitPython",
  hydra: "hydra-core",
  jwt: "PyJWT",
  skimage: "scikit-image",
  sklearn: "scikit-learn",
  tap: "typed-argument-parser",
  yaml: "PyYAML",
});

/** What to ask an index for, so that `module` can be imported. */
export const distributionOf = (module: string): string => NAMES[module] ?? module;
