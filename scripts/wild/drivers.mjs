/**
 * Programs that train a public repository's own model and print what is allocated: a driver of ours (`drivers`), and before it the
 * repository's modules as text, so that one file runs wherever it is put.
 */

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DRIVERS = join(import.meta.dirname, "drivers");
const SHARED = "steps.py";

/** Modules of a repository, by their paths; `root` is a file or a folder in it. */
function sourcesOf(directory, root) {
  const path = join(directory, root);
  if (statSync(path).isFile()) return { [root]: readFileSync(path, "utf8") };
  const names = readdirSync(path).filter((name) => name.endsWith(".py") || statSync(join(path, name)).isDirectory());
  return Object.assign({}, ...names.map((name) => sourcesOf(directory, `${root}/${name}`)));
}

/** Python that makes the modules importable. */
const importable = (sources) => `
import importlib.abc, importlib.util, json, sys
class Modules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, sources):
        self.sources = sources
    def find_spec(self, name, path=None, target=None):
        for file in (name.replace(".", "/") + ".py", name.replace(".", "/") + "/__init__.py"):
            if file in self.sources:
                spec = importlib.util.spec_from_loader(name, self, is_package=file.endswith("__init__.py"))
                spec.loader_state = file
                return spec
    def exec_module(self, module):
        file = module.__spec__.loader_state
        exec(compile(self.sources[file], file, "exec"), module.__dict__)
sys.meta_path.insert(0, Modules(json.loads(${JSON.stringify(JSON.stringify(sources))})))
`;

/** Writes the programs of those repositories that lie in `place` as `owner+name` into `into`; `absent` are the others. */
export function writeDrivers(place, into) {
  const shared = readFileSync(join(DRIVERS, SHARED), "utf8");
  const programs = [];
  const absent = [];
  for (const file of readdirSync(DRIVERS).filter((name) => name.endsWith(".py") && name !== SHARED)) {
    const text = readFileSync(join(DRIVERS, file), "utf8");
    const [, repository, root] = /^# (\S+): (\S+)$/m.exec(text);
    const directory = join(place, repository.replace("/", "+"));
    if (!existsSync(directory)) {
      absent.push(repository);
      continue;
    }
    const path = join(into, file);
    writeFileSync(path, `${importable({ ...sourcesOf(directory, root), [SHARED]: shared })}\n${text}`);
    programs.push({ name: `driver ${file}`, path });
  }
  return { programs, absent };
}
