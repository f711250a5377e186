/** Buffers that count what the passes of a loop put into them are full behind a loop that is left. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const BUFFERS = `
import torch
class Rollout:
    def __init__(self, size): self.size, self.at, self.full, self.kept = size, 0, False, [None] * size
    def add(self, value):
        self.kept[self.at] = value
        self.at += 1
        if self.at == self.size: self.full = True
class Ring(Rollout):
    def add(self, value):
        super().add(value)
        self.at %= self.size
net = torch.nn.Linear(64, 64).cuda()
@torch.no_grad()
def one(): return net(torch.randn(8, 64, device="cuda")).sum().cpu()
`;

describe("behind a loop that is left", () => {
  it("a buffer is full where the last pass fills it, and a ring is as it was", async () => {
    const result = await vramscope.run({
      script: "p.py",
      passes: "auto",
      source: `${BUFFERS}
def collect(buffer, count):
    steps = 0
    while steps < count:
        value = one()
        steps += 1
        buffer.add(value)
    return steps
rollout = Rollout(5000)
print(collect(rollout, 5000), rollout.full, rollout.at)
part = Rollout(5000)
print(collect(part, 3000), part.full, part.at)
for epoch in range(2):
    again = Rollout(400)
    for step in range(400): again.add(one())
    print(step, again.full, again.at)
said, both = [], Rollout(2000)
for step in range(2000):
    value = one()
    said.append(step)
    both.add(value)
    if step % 700 == 699: print("at", step)
print(both.full, both.at, len(said))
ring = Ring(300)
for step in range(4000): ring.add(one())
print(ring.at < 300)
class Agent:
    def __init__(self): self.steps = self.odd = 0
    def collect(self, count):
        n = 0
        while n < count:
            one()
            n += 1
            self.steps += 2
            if n < 3: self.odd += 1
    def learn(self, total):
        rounds = 0
        while self.steps < total:
            self.collect(1000)
            rounds += 1
        print(rounds, self.steps, self.odd)
Agent().learn(6000)
`,
    });
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      [
        "5000 True 5000",
        "3000 False 3000",
        "399 True 400",
        "399 True 400",
        "at 699",
        "at 1399",
        "True 2000 2000",
        "True",
        "3 6000 6",
      ],
    ]);
    const left = result.trace.assumptions.filter(({ code }) => code.startsWith("loop_"));
    expect(left.map(({ code }) => code)).toEqual([
      "loop_repeats_open",
      "loop_repeats",
      "loop_repeats",
      "loop_repeats_open",
    ]);
  });
});

it("lists that lie beside those in one object are as long, whoever fills them", async () => {
  const result = await vramscope.run({
    script: "p.py",
    passes: "auto",
    source: `${BUFFERS}
class Kept:
    def __init__(self): self.values, self.rewards = [], []
class Agent:
    def __init__(self): self.kept = Kept()
    def act(self):
        value = one()
        self.kept.values.append(value)
        return value
agent = Agent()
for step in range(9000):
    agent.act()
    agent.kept.rewards.append(1.0)
print(len(agent.kept.rewards), len(agent.kept.values), torch.stack(agent.kept.values).shape)
`,
  });
  expect([result.errorText, result.stdout]).toEqual([null, "9000 9000 torch.Size([9000])\n"]);
  expect(result.trace.assumptions.map(({ code }) => code)).toContain("loop_filled");
});

it("lists that are filled from the front, and those inside of a ring buffer, are as long as all passes make them", async () => {
  const result = await vramscope.run({
    script: "p.py",
    passes: "auto",
    source: `${BUFFERS}
import random
from collections import deque
def returns(rewards, values):
    made, late, gae = [], deque(), 0
    for step in reversed(range(len(rewards))):
        gae = rewards[step] + 0.9 * gae
        made.insert(0, gae + values[step])
        late.appendleft(gae)
    return made, late
rows = [torch.ones(16, 1, device="cuda") for _ in range(30)]
made, late = returns(rows, rows)
print(len(made), len(late), torch.cat(made).shape)

class Ring:
    def __init__(self, capacity): self.capacity, self.buffer, self.position = capacity, [], 0
    def push(self, *row):
        if len(self.buffer) < self.capacity: self.buffer.append(None)
        self.buffer[self.position] = row
        self.position = (self.position + 1) % self.capacity
    def __len__(self): return len(self.buffer)
ring, frame = Ring(1000000), 0
while frame < 4000:
    for step in range(500):
        ring.push(step, one())
        frame += 1
print(len(ring) >= 500, ring.position == len(ring), len(list(zip(*random.sample(ring.buffer, 64)))))
`,
  });
  expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
    null,
    ["30 30 torch.Size([480, 1])", "True True 2"],
  ]);
});
