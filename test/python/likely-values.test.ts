/** Values that nobody knows are told to differ: a program that stops when a token ends its text runs as long as it may. */

import { expect, it } from "vitest";
import { vramscope } from "../built.ts";

const { run } = vramscope;

const PROGRAM = `
import torch

head = torch.nn.Linear(64, 50000).cuda()
ends = torch.tensor([2, 7], device="cuda")
unfinished = torch.ones(2, dtype=torch.long, device="cuda")

def next_tokens():
    return head(torch.randn(2, 64, device="cuda")).argmax(-1)

def written(stops):
    for step in range(1, 6):
        if stops(next_tokens(), step):
            break
    return step

def as_transformers_asks(tokens, step):
    global unfinished
    done = torch.full((2,), step == 4, device="cuda") | torch.isin(tokens, ends)
    unfinished = unfinished & ~done
    return unfinished.max() == 0

print(written(lambda tokens, step: (tokens == 2).all()), written(lambda tokens, step: tokens[0] == 2))
print(written(lambda tokens, step: not (tokens != 2).any()), written(lambda tokens, step: (tokens == 2).sum().item() == 2))
print(written(as_transformers_asks), unfinished.sum().item())
tokens = next_tokens()
tokens.fill_(2)
print(bool((tokens == 2).all()), bool((next_tokens() > 2).all()))
`;

it("runs loops to their bound that stop at a token", async () => {
  const result = await run({ script: "p.py", source: PROGRAM });
  expect([result.errorText, result.status]).toEqual([null, "ok"]);
  expect(result.stdout.trim().split("\n")).toEqual(["5 5", "5 5", "4 0", "True True"]);
  const codes = new Set(result.trace!.assumptions.map(({ code }) => code));
  expect(codes.has("likely_value")).toBe(true);
});

it("knows what one operand decides alone, and takes all where only a GPU knows the bound", async () => {
  const source = `
import torch

unknown = torch.rand(2, 3, device="cuda") > 0.5
none, all_of_it = (torch.full((2, 3), x, device="cuda") for x in (False, True))
print(bool((unknown & none).any()), bool((unknown | all_of_it).all()), bool(torch.logical_and(none, unknown).any()))
whole = torch.randint(0, 9, (4,), device="cuda")
print((whole & 0).tolist(), (whole | -1).tolist(), torch.logical_or(whole, 7).tolist())
x = torch.zeros(6, 4, device="cuda")
count = (whole > 3).sum()
print(x[:count].shape, x[:, : count + 1].shape, x[: count.item()].shape, x[2:count].shape)
`;
  const result = await run({ script: "p.py", source });
  expect([result.errorText, result.status]).toEqual([null, "ok"]);
  expect(result.stdout.trim().split("\n")).toEqual([
    "False True False",
    "[0, 0, 0, 0] [-1, -1, -1, -1] [True, True, True, True]",
    "torch.Size([6, 4]) torch.Size([6, 4]) torch.Size([6, 4]) torch.Size([4, 4])",
  ]);
});

it("guesses nothing of numbers that were known and are too many to keep", async () => {
  // as transformers finds out whether several texts are packed into one row
  const source = `
import torch

def is_packed(positions):
    first = positions[:, :1] - 1
    begins = torch.diff(positions, prepend=first, dim=-1) != 1
    return not bool((begins.cumsum(-1)[:, -1] == 0).all())

for batch, length in ((1, 512), (1, 70_000), (64, 8192), (2, 3_000_000)):
    positions = torch.arange(5, length + 5, device="cuda")[None].expand(batch, -1)
    words = torch.randint(0, 9, (batch, length), device="cuda")
    print(is_packed(positions), bool((words == 2).all()), bool((torch.ones_like(words) == 1).all()))
`;
  const result = await run({ script: "p.py", source });
  expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([null, Array(4).fill("False False True")]);
});

it("takes positions that are too many to be known for those of one sequence, which needs no mask", async () => {
  const source = `
import torch
from transformers import LlamaConfig
from transformers.masking_utils import create_causal_mask

config = LlamaConfig(num_hidden_layers=1, hidden_size=64, attn_implementation="sdpa")
for batch, length in ((1, 512), (1, 70000), (16, 8192)):
    words = torch.empty(batch, length, 64, device="cuda")
    positions = torch.arange(length, device="cuda")[None]
    mask = create_causal_mask(config=config, inputs_embeds=words, attention_mask=None, past_key_values=None, position_ids=positions)
    print(mask is None)
`;
  const result = await run({ script: "p.py", source });
  expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([null, ["True", "True", "True"]]);
});

it("has whole numbers of places that nobody knows, as a noise schedule looks for its step", async () => {
  const source = `
import torch

steps = torch.arange(9, -1, -1.0, device="cuda")
drawn = (torch.rand(2, device="cuda") * 10).long().to(steps.dtype)
found = [(steps == one).nonzero() for one in drawn]
print([places[1 if len(places) > 1 else 0].item() in range(10) for places in found])
`;
  const result = await run({ script: "p.py", source });
  expect([result.errorText, result.stdout.trim()]).toEqual([null, "[True, True]"]);
});
