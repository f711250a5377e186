/** The interpreter looks like one on Linux, and nothing that it offers starts anything; notebooks; data that is not there. */

import { describe, expect, it } from "vitest";
import { message } from "../../src/i18n/index.ts";
import { vramscope } from "../built.ts";

const { run } = vramscope;

type Result = Awaited<ReturnType<typeof run>>;
const said = ({ trace }: Result): string[] =>
  trace.assumptions.map(({ code, args, frame }) => {
    const place = trace.frames[frame];
    return `${place?.file}:${place?.line}: ${message("en", code as "loop_cut", args)}`;
  });

async function printed(source: string, more: Partial<Parameters<typeof run>[0]> = {}): Promise<readonly string[]> {
  const result = await run({ script: "p.py", source, ...more });
  expect([result.errorText, result.status]).toEqual([null, "ok"]);
  return result.stdout.trim().split("\n");
}

describe("the machine", () => {
  it("takes options whose help older releases of Python did not read, and flags out of files", async () => {
    const program = `
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--share", type=int, default=50, help="50% of it")
print(parser.parse_args([]).share)
from absl import flags
flags.DEFINE_integer("ch", 1, "")
flags.DEFINE_multi_integer("mult", [1], "")
flags.DEFINE_bool("parallel", True, "")
with open("flags.txt", "w") as file: file.write("# sizes\\n--ch=128\\n\\n--mult=1\\n--mult=2\\n--noparallel\\n")
print(flags.FLAGS(["p.py", "--flagfile", "flags.txt", "rest"]), flags.FLAGS.flag_values_dict())
`;
    expect(await printed(program)).toEqual(["50", "['p.py', 'rest'] {'ch': 128, 'mult': [1, 2], 'parallel': False}"]);
  });

  it("gives a file a second name, once", async () => {
    const program = `
import os
with open("a.txt", "w") as file: file.write("linked")
os.link("a.txt", "b.txt")
os.unlink("a.txt")
print(open("b.txt").read(), os.geteuid() == os.getuid(), os.nice(0))
try: os.link("b.txt", "b.txt")
except FileExistsError as error: print(error.filename2)
`;
    expect(await printed(program)).toEqual(["linked True 0", "b.txt"]);
  });

  it("writes JSON part by part, as text and to files", async () => {
    const program = `
import io, json
file = io.StringIO()
json.dump([{"a": [1, None, 2.5], "b": {"c": []}}], file, indent=1)
print(json.loads(file.getvalue()), "".join(json.JSONEncoder().iterencode({"a": [{}]})))
try: json.dump([object], file)
except TypeError as error: print(error)
`;
    expect(await printed(program)).toEqual([
      `[{'a': [1, None, 2.5], 'b': {'c': []}}] {"a": [{}]}`,
      "Object of type type is not JSON serializable",
    ]);
  });

  it("is a Linux host whose threads, pools and loops run in turn", async () => {
    const program = `
import asyncio, concurrent.futures as cf, multiprocessing, os, platform, queue, socket, sys, threading
print(sys.platform, platform.system(), platform.machine(), os.cpu_count() > 1, socket.gethostname())
q = queue.Queue(2)
def produce():
    for i in range(5): q.put(i)
    q.put(None)
threading.Thread(target=produce, daemon=True).start()
found = []
while (x := q.get()) is not None: found.append(x)
t = threading.Thread(target=found.append, args=("thread",)); t.start(); t.join()
print(found)
with cf.ThreadPoolExecutor(4) as e: print(list(e.map(lambda x: x * 2, [1, 2])), e.submit(len, "abc").result())
with multiprocessing.Pool(3) as p: print(p.map(abs, [-1, 2]), p.starmap(max, [(1, 2)]))
async def main():
    await asyncio.sleep(0)
    return await asyncio.gather(*[asyncio.sleep(0, i) for i in range(3)])
print(asyncio.run(main()))
`;
    expect(await printed(program)).toEqual([
      "linux Linux x86_64 True vramscope",
      "[0, 1, 2, 3, 4, 'thread']",
      "[2, 4] 3",
      "[1, 2] [2]",
      "[0, 1, 2]",
    ]);
  });

  it("starts no processes, answers harmless questions and says so", async () => {
    const result = await run({
      script: "p.py",
      source: [
        "import os, subprocess",
        "print(subprocess.check_output(['git', 'rev-parse', '--short', 'HEAD'], text=True).strip())",
        "print(os.popen('nvidia-smi --query-gpu=name,memory.total --format=csv,noheader').read().strip())",
        "try: subprocess.run(['make', 'all'])",
        "except FileNotFoundError as error: print(error)",
        "import sys; print(sys.executable)",
        "asked = 'import sys, json; print(json.dumps(sys.version_info[:2]))'",
        "print(subprocess.check_output([sys.executable, '-c', asked]) == b'[%d, %d]\\n' % sys.version_info[:2])",
        "try: subprocess.run([sys.executable, '-c', 'import os; os.remove(\"p.py\")'])",
        "except FileNotFoundError as error: print(error.errno)",
      ].join("\n"),
    });
    expect(result.stdout.trim().split("\n")).toEqual([
      "0000000",
      "A100 80GB SXM, 81101 MiB",
      "[Errno 44] a simulated program starts no processes: 'make'",
      "/usr/bin/python3",
      "True",
      "44",
    ]);
    expect(said(result)).toContain("p.py:4: make all: a simulated program starts no processes");
  });
});

describe("data that is not there", () => {
  it("becomes a placeholder where nobody handles its absence", async () => {
    const program = `
import numpy as np, torch
try: open("absent.txt")
except OSError: print("handled")
print(len(np.memmap("data/train.bin", dtype=np.uint16, mode="r")), len(open("input.txt").read()))
print(np.load("x.npy").shape, torch.load("y.pt").shape, torch.load("y.pt").dtype)
try: open("config.json")
except FileNotFoundError: print("settings are nobody's guess")
`;
    const lines = await printed(program, {
      data: { "x.npy": "3x4[50]", "y.pt": "int64[5x7]", "train.bin": "uint16[1M]" },
    });
    expect(lines).toEqual([
      "handled",
      "1000000 1000000",
      "(50, 3, 4) torch.Size([5, 7]) torch.int64",
      "settings are nobody's guess",
    ]);
  });

  it("is named with its line", async () => {
    const result = await run({ script: "p.py", source: "x = 1\nopen('corpus.txt').read()\n" });
    expect(said(result)).toEqual([
      "p.py:2: corpus.txt (1,000,000 characters of text): is not there; this stands in for it. --data NAME=SPEC says it better",
    ]);
  });

  it("is missed where nobody can tell what it holds", async () => {
    const result = await run({ script: "p.py", source: "open('spoken.model', 'rb')\n" });
    expect(result.errorText).toContain("FileNotFoundError");
  });
});

describe("a notebook", () => {
  it("runs cell by cell, without magics, and its lines are those of cells", async () => {
    const code = (text: string): object => ({ cell_type: "code", source: text.split(/(?<=\n)/) });
    const cells = [
      { cell_type: "markdown", source: ["# title"] },
      code("!pip install x\n%matplotlib inline\nimport torch\nx = torch.ones(1000, device='cuda')"),
      code("if True:\n    %time y = 3\nprint(y, x.shape)"),
      code("%%bash\nls"),
      code("z = x + 1\n1 / 0"),
    ];
    const result = await run({ script: "n.ipynb", source: JSON.stringify({ nbformat: 4, cells }) });
    expect(result.stdout).toBe("3 torch.Size([1000])\n");
    expect(result.errorText).toContain('File "n.ipynb#cell5", line 2');
    expect(said(result)).toEqual([
      "n.ipynb#cell2:1: !pip install x: skipped",
      "n.ipynb#cell2:1: %matplotlib inline: skipped",
      "n.ipynb#cell4:1: %%bash: skipped",
      "n.ipynb#cell4:1: ls: skipped",
    ]);
    const lines = result.trace.frames.map(({ file, line }) => `${file}:${line}`);
    expect(lines).toContain("n.ipynb#cell2:4");
    expect(lines).toContain("n.ipynb#cell5:1");
  });

  it("has statements over lines that begin with a percent sign, and commands over lines that are skipped whole", async () => {
    const source = [
      "%matplotlib inline",
      "print('%d of %d'",
      "      % (3,",
      "         4))",
      'text = """',
      "%not a magic",
      '!neither"""',
      "rest = (7  # ( of a comment",
      "        % 4)",
      "if rest:",
      "    !pip install \\",
      "        x",
      "print(text.split(), rest)",
    ].join("\n");
    const cells = [{ cell_type: "code", source }];
    const result = await run({ script: "n.ipynb", source: JSON.stringify({ nbformat: 4, cells }) });
    expect([result.errorText, result.stdout]).toEqual([null, "3 of 4\n['%not', 'a', 'magic', '!neither'] 3\n"]);
    expect(said(result)).toEqual([
      "n.ipynb#cell1:1: %matplotlib inline: skipped",
      "n.ipynb#cell1:1: !pip install \\: skipped",
    ]);
  });

  it("that is none ends with one clear error", async () => {
    const result = await run({ script: "n.ipynb", source: "print(1)" });
    expect(result.errorText).toContain("the notebook is not a JSON document with cells");
  });
});
