/** Stand-ins for packages: bytes by the rules that their sources and published accounts give, and what they say of themselves. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { folderWith } from "../helpers.ts";

const { plainPainter, reportFacts, run, textReport } = vramscope;

type Options = Omit<Parameters<typeof run>[0], "script" | "source">;

async function ran(source: string, options: Options = {}) {
  const result = await run({ script: "p.py", source, torch: "2.6", gpu: "a100", ...options });
  expect([result.errorText, result.status]).toEqual([null, "ok"]);
  const lines = { locale: "en", detail: "lines", painter: plainPainter(200), sourceOf: () => undefined } as const;
  const report = textReport(reportFacts(result), result.trace, lines).replaceAll(/\s+/g, " ");
  return { lines: result.stdout.trim().split("\n"), report, trace: result.trace };
}

/** Sizes that operators of a package asked for, in order. */
function requested(
  trace: Awaited<ReturnType<typeof run>>["trace"],
  library: string,
): readonly (readonly [string, number])[] {
  const found: [string, number][] = [];
  trace.events.kind.forEach((kind, i) => {
    const op = trace.ops[trace.events.op[i]!] ?? "";
    if (kind === 0 && op.startsWith(`${library}::`))
      found.push([op.slice(library.length + 2), trace.blocks[trace.events.block[i]!]!.requestedBytes]);
  });
  return found;
}

describe("flash_attn", () => {
  const program = (call: string, size = 64) => `
import torch
from flash_attn import flash_attn_func, flash_attn_varlen_func
q, k, v = (torch.randn(2, 1000, 8, ${size}, device="cuda", dtype=torch.float16, requires_grad=True) for _ in range(3))
out = ${call}
out.backward(torch.ones_like(out))
`;
  const OUT = 2 * 1000 * 8 * 64 * 2;
  const LSE = 2 * 8 * 1000 * 4;

  it("keeps the result, a float32 per query and head, and the random state", async () => {
    const { trace, report } = await ran(program("flash_attn_func(q, k, v)"));
    expect(requested(trace, "flash_attn")).toEqual([
      ["flash_attn_forward", OUT],
      ["flash_attn_forward", LSE],
      ["flash_attn_forward", 16],
      // rows of queries rounded up to 128: their dot products, and the float32 sums of the query's gradient
      ["flash_attn_backward", 2 * 8 * 1024 * 4],
      ["flash_attn_backward", 2 * 1024 * 8 * 64 * 4],
    ]);
    expect(report).toContain("flash_attn::flash_attn_forward");
    expect(report.slice(report.indexOf("Not verified"))).toContain("flash_attn::flash_attn_backward");
  });

  it("takes one set of sums for each of the blocks that a fixed order needs", async () => {
    const { trace } = await ran(program("flash_attn_func(q, k, v, deterministic=True)"));
    // 108 multiprocessors among 2 x 8 heads: 7 sets
    expect(requested(trace, "flash_attn").at(-1)).toEqual(["flash_attn_backward", 7 * 2 * 1024 * 8 * 64 * 4]);
  });

  it("pads sizes that are no multiple of 8 before it saves them", async () => {
    const { trace } = await ran(program("flash_attn_func(q, k, v)", 60));
    expect(requested(trace, "flash_attn")[0]).toEqual(["flash_attn_forward", OUT]);
  });

  it("keeps sequences 128 rows apart in backward", async () => {
    const starts = "torch.tensor([0, 500, 1000], dtype=torch.int32, device='cuda')";
    const flat = "q[0], k[0], v[0]";
    const { trace } = await ran(program(`flash_attn_varlen_func(${flat}, ${starts}, ${starts}, 500, 500)`));
    expect(requested(trace, "flash_attn").slice(3)).toEqual([
      ["flash_attn_varlen_backward", 8 * (1000 + 2 * 128) * 4],
      ["flash_attn_varlen_backward", (1000 + 2 * 128) * 8 * 64 * 4],
    ]);
  });

  it("says what it does not have, and refuses what the kernels refuse", async () => {
    const source = `
import torch, flash_attn
q = torch.randn(2, 8, 4, 64, device="cuda")
for attempt in ("flash_attn.flash_attn_triton", "flash_attn.flash_attn_func(q, q, q)"):
    try:
        eval(attempt)
    except Exception as error:
        print(type(error).__name__, error)
try:
    from flash_attn import nothing
except ImportError as error:
    print(error)
`;
    expect((await ran(source)).lines).toEqual([
      "AttributeError vramscope's stand-in for flash_attn does not have 'flash_attn_triton'",
      "RuntimeError FlashAttention only support fp16 and bf16 data type",
      "vramscope's stand-in for flash_attn does not have 'nothing'",
    ]);
  });
});

describe("xformers", () => {
  it("takes flash_attn's kernel for 16 bits and PyTorch's for 32", async () => {
    const source = (type: string) => `
import torch
from xformers.ops import LowerTriangularMask, memory_efficient_attention
q, k, v = (torch.randn(2, 96, 8, 64, device="cuda", dtype=torch.${type}, requires_grad=True) for _ in range(3))
out = memory_efficient_attention(q, k, v, attn_bias=LowerTriangularMask())
out.sum().backward()
print(*out.shape, *q.grad.shape)
`;
    const half = await ran(source("float16"));
    expect(half.lines).toEqual(["2 96 8 64 2 96 8 64"]);
    expect(half.trace.ops).toContain("flash_attn::flash_attn_forward");
    const single = await ran(source("float32"));
    expect(single.lines).toEqual(half.lines);
    expect(single.trace.ops).toContain("aten::_scaled_dot_product_efficient_attention");
    const old = await ran(source("float16"), { gpu: "v100-16gb" });
    expect(old.trace.ops).toContain("aten::_scaled_dot_product_efficient_attention");
  });

  it("saves q, k, v, the result and the log-sum-exp, but no random state without dropout", async () => {
    const source = (dropout: number) => `
import torch
from xformers.ops import memory_efficient_attention
q, k, v = (torch.randn(2, 1024, 8, 64, device="cuda", dtype=torch.float16, requires_grad=True) for _ in range(3))
before = torch.cuda.memory_allocated()
out = memory_efficient_attention(q, k, v, p=${dropout})
print(torch.cuda.memory_allocated() - before)
`;
    const kept = 2 * 1024 * 8 * 64 * 2 + 2 * 8 * 1024 * 4;
    expect((await ran(source(0))).lines).toEqual([String(kept)]);
    expect((await ran(source(0.1))).lines).toEqual([String(kept + 512)]);
  });
});

describe("bitsandbytes", () => {
  const linear = (options: string) => `
import torch, bitsandbytes as bnb
layer = bnb.nn.Linear4bit(4096, 11008, bias=False, compute_dtype=torch.bfloat16, ${options}).to(torch.bfloat16).to("cuda")
state = layer.weight.quant_state
tensors = [layer.weight, state.absmax, state.code]
if state.nested:
    tensors += [state.offset, state.state2.absmax, state.state2.code]
print(*(t.nbytes for t in tensors))
`;
  const VALUES = 4096 * 11008;

  it("keeps 0.5625 bytes per 4-bit value and 64 bytes of code", async () => {
    // estimates of published models use this figure: 0.5 + 4 / 64
    const { lines } = await ran(linear('quant_type="nf4", compress_statistics=False'));
    expect(lines).toEqual([`${VALUES / 2} ${(VALUES / 64) * 4} 64`]);
    expect(VALUES / 2 + (VALUES / 64) * 4).toBe(VALUES * 0.5625);
  });

  it("keeps 0.515869140625 bytes per value with nested statistics, a second code and an offset", async () => {
    const { lines } = await ran(linear('quant_type="nf4"'));
    expect(lines).toEqual([`${VALUES / 2} ${VALUES / 64} 64 4 ${(VALUES / 64 / 256) * 4} 1024`]);
    expect(VALUES / 2 + VALUES / 64 + (VALUES / 64 / 256) * 4).toBe(VALUES * 0.515869140625);
  });

  it("undoes a weight in forward and again in backward, and keeps neither it nor the input", async () => {
    const { lines, report } = await ran(`${linear('quant_type="nf4", compress_statistics=False')}
x = torch.randn(4, 4096, device="cuda", dtype=torch.bfloat16, requires_grad=True)
layer(x).sum().backward()  # takes the workspaces of both threads
x.grad = None
before = torch.cuda.memory_allocated()
torch.cuda.reset_peak_memory_stats()
y = layer(x)
print(torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before > ${VALUES * 2})
torch.cuda.reset_peak_memory_stats()
y.sum().backward()
print(torch.cuda.max_memory_allocated() - before > ${VALUES * 2})
`);
    expect(lines.slice(1)).toEqual([`${4 * 11008 * 2} True`, "True"]);
    expect(report.slice(report.indexOf("Not verified"))).toContain("bitsandbytes::dequantize_4bit");
  });

  it("keeps an int8 weight and a float32 per row", async () => {
    const { lines } = await ran(`
import torch, bitsandbytes as bnb
layer = bnb.nn.Linear8bitLt(4096, 1024, bias=False, has_fp16_weights=False).cuda()
print(layer.weight.dtype, layer.weight.nbytes, layer.weight.SCB.nbytes, torch.cuda.memory_allocated())
`);
    expect(lines).toEqual([`torch.int8 ${4096 * 1024} ${1024 * 4} ${4096 * 1024 + 1024 * 4}`]);
  });

  it.each([
    // bytes per parameter: 2 + 8 / 256 for two states, 1 + 4 / 256 for one; and one code of 1 KiB for each state
    ["Adam8bit", "", 2.03125, 2],
    ["AdamW8bit", "", 2.03125, 2],
    ["Lion8bit", "", 1.015625, 1],
    ["SGD8bit", ", momentum=0.9", 1.015625, 1],
    ["AdamW", "", 8, 0],
  ])("%s keeps its published bytes per parameter", async (name, options, bytes, codes) => {
    const { lines } = await ran(`
import torch, bitsandbytes as bnb
p = torch.nn.Parameter(torch.zeros(1024, 1024, device="cuda", dtype=torch.bfloat16))
optimizer = bnb.optim.${name}([p], lr=1e-3${options})
p.grad = torch.zeros_like(p)
before = torch.cuda.memory_allocated()
optimizer.step()
print(torch.cuda.memory_allocated() - before)
`);
    expect(lines).toEqual([String(1024 * 1024 * bytes + codes * 1024)]);
  });

  it("keeps float32 states for parameters under 4,096 values, and paged ones outside", async () => {
    const { lines, report } = await ran(`
import torch, bitsandbytes as bnb
def stepped(make, values):
    p = torch.nn.Parameter(torch.zeros(values, device="cuda"))
    p.grad = torch.zeros_like(p)
    before = torch.cuda.memory_allocated()
    optimizer = make([p], lr=1e-3)
    optimizer.step()
    return torch.cuda.memory_allocated() - before, str(optimizer.state[p]["state1"].dtype)
print(*stepped(bnb.optim.Adam8bit, 4095), *stepped(bnb.optim.Adam8bit, 4096))
print(*stepped(bnb.optim.PagedAdam, 1 << 20))
`);
    // two states of 4,095 float32 in blocks of 512 bytes; 4,096 bytes, maxima of 16 blocks (512 bytes) and codes, twice
    expect(lines).toEqual([`${2 * 16384} torch.float32 ${2 * (4096 + 512 + 1024)} torch.uint8`, "0 torch.float32"]);
    expect(report).toContain(
      "bitsandbytes (paged optimizer states): memory that the driver moves between host and GPU",
    );
  });
});

describe("smaller packages", () => {
  it("take drawing and logging, and say so", async () => {
    const { report, lines } = await ran(`
import wandb
import matplotlib.pyplot as plt
from tqdm.auto import tqdm, trange
wandb.init(project="p", config={"lr": 0.1})
wandb.log({"loss": 1.0})
figure, axes = plt.subplots(1, 2)
axes[0].plot([1, 2])
plt.savefig("loss.png")
for i in tqdm(trange(2)):
    print(i, wandb.config.lr)
wandb.finish()
try:
    wandb.sweep({})
except AttributeError as error:
    print(error)
`);
    expect(lines).toEqual(["0 0.1", "1 0.1", "vramscope's stand-in for wandb does not have 'sweep'"]);
    expect(report).toContain("wandb: nothing is sent or stored");
    expect(report).toContain("matplotlib: nothing is drawn");
  });

  it("describe the simulated GPU to pynvml as nvidia-smi would", async () => {
    const { lines } = await ran(`
import torch, pynvml
x = torch.zeros(1 << 20, device="cuda")
pynvml.nvmlInit()
memory = pynvml.nvmlDeviceGetMemoryInfo(pynvml.nvmlDeviceGetHandleByIndex(0))
free, total = torch.cuda.mem_get_info()
print(memory.used == total - free, memory.used > torch.cuda.memory_reserved(), memory.total == total)
`);
    expect(lines).toEqual(["True True True"]);
  });

  it("give vision data of the right shapes, and models of the published sizes", async () => {
    const { lines, report } = await ran(`
import torch
from torchvision import datasets, models, transforms
steps = transforms.Compose([transforms.Resize(64), transforms.RandomCrop(56), transforms.ToTensor(), transforms.Normalize((0.5,), (0.5,))])
data = datasets.CIFAR10("data", download=True, transform=steps)
images, labels = next(iter(torch.utils.data.DataLoader(data, batch_size=16)))
print(len(data), *images.shape, *labels.shape, labels.dtype)
with torch.device("meta"):
    print(*(sum(p.numel() for p in make().parameters()) for make in (models.resnet18, models.resnet50, models.vgg16)))
`);
    // parameters as torchvision publishes them
    expect(lines).toEqual(["50000 16 3 56 56 16 torch.int64", "11689512 25557032 138357544"]);
    expect(report).toContain("torchvision: data sets have their shapes and lengths, but no content");
  });

  it("run a training loop of accelerate: steps only when gradients are complete", async () => {
    const { lines } = await ran(`
import torch
from accelerate import Accelerator
accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=2)
model, data = torch.nn.Linear(8, 2), torch.utils.data.TensorDataset(torch.randn(20, 8))
optimizer = torch.optim.SGD(model.parameters(), 0.1)
model, optimizer, loader = accelerator.prepare(model, optimizer, torch.utils.data.DataLoader(data, batch_size=4))
steps = 0
for (batch,) in loader:
    with accelerator.accumulate(model):
        result = model(batch)
        accelerator.backward(result.sum())
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
            steps += 1
        optimizer.step()
        optimizer.zero_grad()
print(steps, result.dtype, batch.device, model.weight.grad)
`);
    expect(lines).toEqual(["3 torch.float32 cuda:0 None"]);
  });

  it("step aside for a module of that name beside the script", async () => {
    const folder = folderWith({ "wandb.py": "VALUE = 7\n", "tqdm/__init__.py": "def tqdm(x):\n    return ['own']\n" });
    const { lines } = await ran("import wandb\nfrom tqdm import tqdm\nprint(wandb.VALUE, *tqdm([1]))", { folder });
    expect(lines).toEqual(["7 own"]);
  });
});
