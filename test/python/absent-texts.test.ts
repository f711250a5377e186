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
