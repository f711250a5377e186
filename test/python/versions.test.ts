/** Versions as packaging and pkg_resources compare them: the order of PEP 440, as the released packaging 26.2 answers. */

import { expect, it } from "vitest";
import { vramscope } from "../built.ts";

it("orders versions and says which a requirement takes", async () => {
  const result = await vramscope.run({
    script: "p.py",
    source: `
from packaging import version
from packaging.specifiers import SpecifierSet
from pkg_resources import packaging, parse_version
import torch
texts = "1.10 1.0.dev1 1.0a1.dev2 1.0.post1 1.0rc2 1.0 1.0+cu9 1.0+cu118 2!0.1 1.0a1 v1.2-3 1.0-beta.2".split()
print(*map(str, sorted(map(version.parse, texts))))
print(version.parse("1.0.0") == version.parse("1.0"), version.Version("2.14.1").micro, version.parse("1.0rc1").is_prerelease)
print(version.parse(torch.__version__) >= version.parse("1.7.1"), packaging.version.parse("1.9") < packaging.version.parse("1.10"))
print(*("1.0.post1" in SpecifierSet(part) for part in (">=1.0", "==1.*", ">1.0", "~=1.0.0", "!=1.0,<2", "==1.0")))
try: version.parse("nightly")
except version.InvalidVersion as error: print(error)
`,
  });
  expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
    null,
    [
      "1.0.dev1 1.0a1.dev2 1.0a1 1.0b2 1.0rc2 1.0 1.0+cu118 1.0+cu9 1.0.post1 1.2.post3 1.10 2!0.1",
      "True 1 True",
      "True True",
      "True True False True True False",
      "Invalid version: 'nightly'",
    ],
  ]);
});
