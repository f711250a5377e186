/** Schemas of pydantic_core validated by what stands in for its compiled module, held against what the real one (2.46.4) printed. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { vramscope } from "../built.ts";

it("takes, refuses and writes what the compiled module does", async () => {
  const script = join(import.meta.dirname, "core_schemas.py");
  const result = await vramscope.run({ script });
  expect(result.errorText).toBeNull();
  expect(result.stdout).toBe(readFileSync(script.replace(/py$/, "txt"), "utf8"));
});

it("is what an installed pydantic_core finds in the place of its compiled module", async () => {
  const { folderWith } = await import("../helpers.ts");
  const folder = folderWith({
    "packages/pydantic_core/__init__.py": "from ._pydantic_core import SchemaValidator, __version__",
    "packages/pydantic_core/_pydantic_core/__init__.pyi": "",
    "packages/pydantic_core-2.99.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: pydantic-core\nVersion: 2.99.1\n",
    "main.py":
      "import pydantic_core as p\nprint(p.__version__, p.SchemaValidator({'type': 'int'}).validate_python('3'))",
  });
  const { stdout } = await vramscope.run({ script: join(folder, "main.py"), sitePackages: [join(folder, "packages")] });
  expect(stdout).toBe("2.99.1 3\n");
});
