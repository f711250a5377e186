/** Stand-ins beside installed packages: which of the two a program gets, and what either is told of the other. */

import { join } from "node:path";
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

it("counts what a project requires as installed, and lets parts of its package lack what they never use", async () => {
  const lines = [
    "import importlib.metadata as m, torch, lib",
    "from peft import LoraConfig, get_peft_model, get_peft_model_state_dict, prepare_model_for_int8_training, set_peft_model_state_dict",
    "from accelerate import cpu_offload_with_hook",
    "def has(name):",
    "    try: return bool(m.version(name))",
    "    except m.PackageNotFoundError: return False",
    "print([has(name) for name in ('requests', 'scipy', 'flash_attn', 'pandas')])",
    // the real peft 0.20.0 gives these names, and accelerate 1.14.0 these bytes
    "model = get_peft_model(prepare_model_for_int8_training(torch.nn.Sequential(torch.nn.Linear(8, 8))), LoraConfig(r=2, target_modules=['0']))",
    "state = get_peft_model_state_dict(model)",
    "print(list(state), set_peft_model_state_dict(model, state).unexpected_keys)",
    "a, b = torch.nn.Linear(1024, 1024), torch.nn.Linear(1024, 1024)",
    "a, first = cpu_offload_with_hook(a, 'cuda:0'); b, second = cpu_offload_with_hook(b, None, first)",
    "y = b(a(torch.randn(4, 1024))); print(torch.cuda.memory_allocated(), torch.cuda.memory_reserved())",
  ];
  const folder = folderWith({
    "setup.py":
      "deps = {'a': 'b'}\nneeded = [deps['requests'], 'scipy>=1']\nsetup(install_requires=list(needed), extras_require={'x': ['flash_attn']})\n",
    "lib/__init__.py": "from accelerate import infer_auto_device_map\nfrom transformers import AutoImageProcessor\n",
    "run.py": lines.join("\n"),
  });
  const result = await vramscope.run({ script: join(folder, "run.py"), folder });
  expect([result.errorText, result.stdout]).toEqual([
    null,
    "[True, True, False, False]\n['base_model.model.0.lora_A.weight', 'base_model.model.0.lora_B.weight'] []\n12767232 23068672\n",
  ]);
});
