/** What programs written for other machines and earlier packages lean on: shells, old interfaces, records by the names that are asked for. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

describe("a program from the wild", () => {
  it("finds what it asks for by name, and old interfaces as it takes them", async () => {
    const result = await vramscope.run({
      script: "p.py",
      source: `
import json, os, urllib
import gym, torch
from gym.spaces.box import Box
rows = [json.loads(line) for line in open("none.jsonl")]
print(type(rows[0]["context"]).__name__, rows[0]["label_of_it"])
print(os.system("mkdir -p a/b && touch a/b/c"), os.listdir("a/b"), os.system("unheard-of x; true"), os.system("nobody"))
print(callable(urllib.request.urlopen))
env = gym.make("CartPole-v1")
seen = env.reset()
seen, reward, done, info = env.step(0)
print(env.seed(3), seen.shape, done, env.unwrapped.x_threshold, isinstance(env.observation_space, Box))
seen, _ = env.reset()
five = env.step(1)
print(seen.shape, len(five))
one = torch.tensor([3])
print(torch.tensor([one, one]).shape, torch.tensor([[one], [one]]).shape)
known = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
print((known @ known.to_sparse()).shape)
`,
    });
    // tensors as PyTorch 2.14 prints them, environments as gym 0.21 and 0.26 do
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      [
        "str 0",
        "0 ['c'] 0 32512",
        "True",
        "[3] (4,) False 2.4 True",
        "(4,) 5",
        "torch.Size([2]) torch.Size([2, 1])",
        "torch.Size([2, 2])",
      ],
    ]);
    expect(result.trace.assumptions.map(({ code }) => code)).toContain("gym_interface");
  });

  it("reads an array where the program makes tensors of arrays, and names who writes what is missing", async () => {
    const source = `
import torch
data = torch.load("waves.pt")
print(torch.from_numpy(data[3:, :-1]).shape)
`;
    const given = await vramscope.run({ script: "p.py", source, data: { "waves.pt": "float64[100x1000]" } });
    expect([given.errorText, given.stdout.trim()]).toEqual([null, "torch.Size([97, 999])"]);
    const missing = await vramscope.run({ script: "p.py", source });
    expect(missing.errorText).toContain("--data waves.pt=float64[100x1000]");
  });
});
