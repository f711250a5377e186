/** Stand-ins beside installed packages: which of the two a program gets, and what either is told of the other. */

import { expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { folderWith } from "../helpers.ts";

async function printed(source: string, files: Record<string, string>): Promise<string> {
  const result = await vramscope.run({ script: "p.py", source, sitePackages: [folderWith(files)] });
  expect(result.errorText).toBe(null);
  return result.stdout;
}

it("tells a package the versions of compiled packages that it cannot be without", async () => {
  const files = {
    "asks/__init__.py":
      'from importlib.metadata import version, PackageNotFoundError\nname = version("pandas")\nrows = version("datasets")\ndeeper = version("pyarrow")\ntry: version("h5py")\nexcept PackageNotFoundError: extra = None\ntry: version("no-stand-in")\nexcept PackageNotFoundError: compiled = None\ndef with_extra(): return version("h5py")\n',
    "asks-1.0.dist-info/METADATA":
      'Metadata-Version: 2.1\nName: asks\nVersion: 1.0\nRequires-Dist: pandas>=1\nRequires-Dist: no-stand-in\nRequires-Dist: below\nRequires-Dist: h5py; extra == "all"\n',
    "below-1.0.dist-info/METADATA":
      "Metadata-Version: 2.1\nName: below\nVersion: 1.0\nRequires-Dist: pyarrow>=14\nRequires-Dist: asks\n",
    // a package that checks versions for the programs that call it, as transformers' require_version does
    "wants/__init__.py":
      "import importlib.metadata as m\ndef version_of(name): return m.version(name)\ntry: found = bool(version_of('h5py'))\nexcept m.PackageNotFoundError: found = False\n",
    "wants-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: wants\nVersion: 1.0\nRequires-Dist: asks\n",
  };
  const source =
    "import asks, pandas, pyarrow, h5py, wants\nprint(asks.name == pandas.__version__, asks.deeper == pyarrow.__version__, asks.extra, asks.compiled, wants.found)\n" +
    "print(wants.version_of('h5py') == h5py.__version__, asks.with_extra() == h5py.__version__)";
  expect(await printed(source, files)).toBe("True True None None False\nTrue True\n");
});

it("plays games by its own gymnasium, which has no simulators to load", async () => {
  const source =
    "import gym, gymnasium\nprint(gymnasium.make('HalfCheetah-v4').step(0)[0].shape, gym.make('CartPole-v1').action_space.n)";
  expect(await printed(source, { "gymnasium/__init__.py": "import mujoco" })).toBe("(17,) 2\n");
});

it("leaves what an installed package lacks to the package, whose folder has a name of an absent one", async () => {
  const source =
    "import google.protobuf\ntry: import google._upb\nexcept ImportError: print('plain', google.protobuf.made)";
  expect(await printed(source, { "google/protobuf/__init__.py": "made = 1" })).toBe("plain 1\n");
});

it("has the modules below multiprocessing that stand on its compiled part", async () => {
  const source = `
from multiprocessing import Queue, synchronize, connection, sharedctypes, get_context
import multiprocessing
lock = synchronize.Lock(ctx=multiprocessing.context._default_context)
with lock: print(lock.acquire(False))
print(lock.acquire(False))
`;
  expect(await printed(source, {})).toBe("False\nTrue\n");
});
