/** Texts and JSON files that are not there and are told by how a program takes them apart: word vectors, questions about paragraphs. */

import { expect, it } from "vitest";
import { message } from "../../src/i18n/index.ts";
import { vramscope } from "../built.ts";

it("takes a text to hold word vectors where its words' numbers are taken from behind them", async () => {
  const result = await vramscope.run({
    script: "p.py",
    source: `
import numpy as np
def rest_assigned(path):
    size, found = -1, {}
    with open(path, "r", encoding="utf8") as file:
        for line in file:
            parts = line.strip().split()
            if size < 0: size = len(parts) - 1
            row = np.empty([1, size]); row[:] = parts[1:]
            found[parts[0]] = row
    return found, size
def rest_made(path):
    found = {}
    for line in open(path):
        values = line.split(" ")
        found[values[0]] = np.asarray(values[1:], dtype="float32")
    return found
def last(path, size):
    found = {}
    for line in open(path):
        tokens = line.rstrip().split()
        found[" ".join(tokens[:-size])] = np.asarray(tokens[-size:], dtype="float32")
    return found
found, size = rest_assigned("sample.word.emb"); print(len(found), size)
found = rest_made("data/glove.6B.100d.txt"); print(len(found), found["word7"].shape)
found = last("glove.42B.300d.txt", 300); print(len(found), found["word7"].shape)
print(len(open("story.txt").read().split()) > 1000)
`,
  });
  expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
    null,
    ["4000 300", "4000 (100,)", "4000 (300,)", "True"],
  ]);
  const said = result.trace.assumptions.map(({ code, args }) => message("en", code as "loop_cut", args)).join("\n");
  expect(said).toContain("data/glove.6B.100d.txt (4,000 words with 100 numbers each)");
});

it("takes a JSON file to hold questions about paragraphs by the names of its parts", async () => {
  const result = await vramscope.run({
    script: "p.py",
    source: `
import json
with open("train-v1.1.json") as file:
    data = json.load(file)
    data = data["data"]
rows = [
    paragraph["context"][answer["answer_start"]:][:len(answer["text"])] == answer["text"]
    for article in data for paragraph in article["paragraphs"] for qa in paragraph["qas"] for answer in qa["answers"]
]
print(len(rows), all(rows), len(set(qa["id"] for article in data for p in article["paragraphs"] for qa in p["qas"])))
`,
  });
  expect([result.errorText, result.stdout.trim()]).toEqual([null, "4000 True 4000"]);
});

it("answers a question that says what its answers mean by the first of them", async () => {
  const result = await vramscope.run({
    script: "p.py",
    source: `
print("ml-" + input("Input 1 for ml-1m, 20 for ml-20m: ") + "m")
print(input("(2) train (3) test: "), input("Epoch 5: overwrite [y/n]? "))
`,
  });
  expect(result.errorText).toBeNull();
  expect(result.stdout).toContain("ml-1m");
  expect(result.stdout.trim()).toMatch(/2 y$/);
});

it("runs a model once where a program exports it, and gives it back as it was", async () => {
  const result = await vramscope.run({
    script: "p.py",
    source: `
import torch
from torch import nn
model = nn.Sequential(nn.Linear(1000, 4000), nn.Dropout(), nn.Linear(4000, 10)).cuda().train()
model[1].eval()
model(torch.ones(1, 1000, device="cuda"))  # cuBLAS's workspaces stay
before = torch.cuda.memory_allocated()
torch.onnx.export(model, torch.randn(512, 1000, device="cuda"), "m.onnx", input_names=["x"], opset_version=11, dynamo=False)
print(torch.cuda.max_memory_allocated() - before > 512 * 4000 * 4, torch.cuda.memory_allocated() == before)
print(model.training, model[1].training, open("m.onnx", "rb").read(), next(model.parameters()).grad)
`,
  });
  expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([null, ["True True", "True False b'' None"]]);
  expect(result.trace.assumptions.map(({ code }) => code)).toContain("onnx_export");
});
