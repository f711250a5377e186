/** Data sets of Hugging Face that are not there: rows of the right kind, and the methods that programs call on them. */

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const { run } = vramscope;

async function printed(source: string, files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "vramscope-datasets-"));
  for (const [name, text] of Object.entries({ "main.py": source, ...files })) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const result = await run({ script: join(folder, "main.py") });
  expect([result.errorText, result.status]).toEqual([null, "ok"]);
  return { lines: result.stdout.trim().split("\n"), assumed: result.trace.assumptions.map(({ code }) => code) };
}

describe("datasets", () => {
  it("has the columns of a data set that it knows, and texts for another one, and says both", async () => {
    const { lines, assumed } = await printed(`
from datasets import load_dataset
d = load_dataset("glue", "mrpc")
print(list(d), d["train"].column_names, len(d["train"]), d["train"].features["label"].num_classes)
print(len(load_dataset("glue", "mrpc", split="train[:10%]")), len(load_dataset("glue", "mrpc", split="train+test")))
print(load_dataset("nobody/knows", split="train").column_names)
`);
    expect(lines).toEqual([
      "['train', 'validation', 'test'] ['sentence1', 'sentence2', 'label', 'idx'] 3668 2",
      "366 5393",
      "['text']",
    ]);
    expect(assumed).toContain("dataset_rows");
    expect(assumed).toContain("dataset_guessed");
  });

  it("has columns that are sequences, as code which tells one text from many asks", async () => {
    const { lines } = await printed(`
from collections.abc import Sequence
from datasets import Column, Dataset
column = Dataset.from_dict({"a": [1, 2, 3]})["a"]
print(isinstance(column, Sequence) and isinstance(column, Column), column[-1], column[1:], list(reversed(column)), column.index(2), column.count(9))
`);
    expect(lines).toEqual(["True 3 [2, 3] [3, 2, 1] 1 0"]);
  });

  it("names rows by their numbers, so that tables which mention each other's rows find them", async () => {
    const { lines } = await printed(`
from datasets import load_dataset
corpus = load_dataset("BeIR/quora", "corpus", split="corpus")
wanted = set(map(str, load_dataset("BeIR/quora-qrels", split="validation")["corpus-id"][:3]))
print(len(corpus), sorted(wanted), corpus.select(range(100)).filter(lambda row: row["_id"] in wanted)["_id"][:])
print(load_dataset("nobody/knows", split="train")["doc_id"][7])
`);
    expect(lines).toEqual(["522931 ['0', '1', '2'] ['0', '1', '2']", "7"]);
  });

  it("has the splits that are asked for of a data set that it does not know, also of what was made of it", async () => {
    const { lines, assumed } = await printed(`
from datasets import load_dataset
d = load_dataset("nobody/knows")
print(list(d), len(d["dev"]), d["dev"].column_names, list(d))
made = load_dataset("nobody/knows").map(lambda row: {"n": len(row["text"])}).remove_columns("text")
print(made["dev_mismatched"].column_names, next(iter(load_dataset("nobody/knows", split="dev", streaming=True))).keys())
for name, split in (("glue", "dev"), ("wikitext", "dev")):
    try:
        load_dataset(name, "mrpc" if name == "glue" else "wikitext-2-raw-v1", split=split)
    except ValueError as error:
        print(error)
`);
    expect(lines).toEqual([
      "['train', 'validation', 'test'] 1000 ['text'] ['train', 'validation', 'test', 'dev']",
      "['n'] dict_keys(['text'])",
      ...Array.from({ length: 2 }, () => `Unknown split "dev". Should be one of ['train', 'validation', 'test'].`),
    ]);
    expect(assumed).toContain("dataset_split_guessed");
  });

  it("runs functions over rows and batches, which may give other numbers of rows", async () => {
    const { lines } = await printed(`
import torch
from datasets import Dataset, concatenate_datasets, interleave_datasets
d = Dataset.from_dict({"a": list(range(10)), "b": [[i, i + 1] for i in range(10)]})
print(d.map(lambda r: {"c": r["a"] * 2})[3], d.filter(lambda r: r["a"] % 5 == 0)["a"][:])
print(d.map(lambda c: {"a": c["a"] * 2}, batched=True, batch_size=4, remove_columns=["b"])["a"][:])
t = d.rename_column("b", "ids").with_format("torch", columns=["ids"])
print(t[1], t[:2]["ids"].shape, next(iter(torch.utils.data.DataLoader(t, batch_size=5)))["ids"].shape)
print(len(concatenate_datasets([d, d])), d.train_test_split(test_size=0.2, seed=0).num_rows, d.select([9, 0])["a"][:])
print(next(iter(d.to_iterable_dataset().map(lambda r: {"c": 1}).skip(2).take(1))))
loader = torch.utils.data.DataLoader(d.to_iterable_dataset().take(7), batch_size=3, collate_fn=len)
print(list(loader), isinstance(loader.dataset, torch.utils.data.IterableDataset))
stream, other = d.to_iterable_dataset(), d.to_iterable_dataset().rename_columns({"a": "c", "b": "e"})
print(len(list(concatenate_datasets([stream, stream]))), list(concatenate_datasets([stream, other], axis=1).take(1)))
print([row["a"] for row in interleave_datasets([stream, stream.skip(5)])])
path = d._get_cache_file_path(d._fingerprint)
d.map(lambda r, i: {"c": [n + 1 for n in i]}, batched=True, with_indices=True, remove_columns=["a", "b"], cache_file_name=path)
print(concatenate_datasets([d, Dataset.from_file(path)], axis=1)[2])
`);
    expect(lines).toEqual([
      "{'a': 3, 'b': [3, 4], 'c': 6} [0, 5]",
      "[0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 8, 9]",
      "{'ids': tensor([1, 2])} torch.Size([2, 2]) torch.Size([5, 2])",
      "20 {'train': 8, 'test': 2} [9, 0]",
      "{'a': 2, 'b': [2, 3], 'c': 1}",
      "[3, 3, 1] True",
      "20 [{'a': 0, 'b': [0, 1], 'c': 0, 'e': [0, 1]}]",
      "[0, 5, 1, 6, 2, 7, 3, 8, 4, 9]",
      "{'a': 2, 'b': [2, 3], 'c': 3}",
    ]);
  });

  it("reads numbers out of tables, and None where nothing stands, as datasets 5 does", async () => {
    const { lines } = await printed(
      `
from datasets import load_dataset
d = load_dataset("csv", data_files="rows.csv")["train"]
for row in d: print(row)
print(d.features["label"].dtype, d.features["score"].dtype)
`,
      { "rows.csv": "text,label,score\nfoo,1,0.5\n,0,\nbar,3,2\n" },
    );
    expect(lines).toEqual([
      "{'text': 'foo', 'label': 1, 'score': 0.5}",
      "{'text': None, 'label': 0, 'score': None}",
      "{'text': 'bar', 'label': 3, 'score': 2.0}",
      "int64 float64",
    ]);
  });

  it("reads files that are there, and steps aside for a folder of that name", async () => {
    const files = { "data/train.jsonl": '{"text": "one", "n": 1}\n{"text": "two", "n": 2}\n' };
    const read = await printed(
      `from datasets import load_dataset\nd = load_dataset("json", data_files="data/train.jsonl", split="train")\nprint(len(d), d[1])`,
      files,
    );
    expect(read.lines).toEqual(["2 {'text': 'two', 'n': 2}"]);
    expect(read.assumed).not.toContain("dataset_rows");
    const own = await printed("from datasets.own import word\nprint(word)", { "datasets/own.py": "word = 'mine'" });
    expect(own.lines).toEqual(["mine"]);
  });
});

it("reads folders of pictures as the builder imagefolder does: splits, labels and metadata, as datasets 5.2.0 printed it", async () => {
  const { lines } = await printed(`
import os
from PIL import Image
from datasets import load_dataset
def picture(path, size):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Image.new("RGB", size).save(path)
for split in ("train", "validation"):
    for number, kind in enumerate(("cat", "dog")):
        picture(f"pics/{split}/{kind}/{number}.png", (30, 20 + number))
for name in ("a", "b"):
    picture(f"told/train/{name}.png", (8, 8))
with open("told/train/metadata.jsonl", "w") as file:
    file.write('{"file_name": "b.png", "mask_file_name": "a.png", "text": "two"}\\n{"file_name": "a.png", "mask_file_name": "b.png", "text": "one"}\\n')
d = load_dataset("imagefolder", data_dir="pics")
print(list(d), d["train"].column_names, d["train"].features["label"].names, [(r["image"].size, r["label"]) for r in d["train"]])
print(load_dataset("pics", split="validation")[1]["image"].size, load_dataset("imagefolder", data_dir="pics/train/dog", split="train").column_names)
for told in (load_dataset("imagefolder", data_files={"train": "told/**"}), load_dataset("told")):
    print(told.column_names, told["train"]["text"][:], told["train"][0]["mask"].size)
`);
  expect(lines).toEqual([
    "['train', 'validation'] ['image', 'label'] ['cat', 'dog'] [((30, 20), 0), ((30, 21), 1)]",
    "(30, 21) ['image']",
    "{'train': ['image', 'mask', 'text']} ['two', 'one'] (8, 8)",
    "{'train': ['image', 'mask', 'text']} ['two', 'one'] (8, 8)",
  ]);
});

it("hands functions of map what a transform makes, and keeps the columns that were there, as datasets 5.2.0 does", async () => {
  const { lines } = await printed(`
from datasets import Dataset
d = Dataset.from_dict({"a": [1, 2, 3]}).with_transform(lambda b: {"a": b["a"], "double": [2 * v for v in b["a"]]})
e = d.map(lambda b: {"c": [v + 1 for v in b.pop("double")]}, batched=True)
print(e.column_names, e[0], e.with_format(None)[:], d.map(lambda r: {"c": r["double"]}).with_format(None)["c"][:])
print(d.format["type"], [*d._format_kwargs], d.with_format(None).format)
`);
  expect(lines).toEqual([
    "['a', 'c'] {'a': 1, 'double': 2} {'a': [1, 2, 3], 'c': [3, 5, 7]} [2, 4, 6]",
    "custom ['transform'] {'type': None, 'format_kwargs': {}, 'columns': ['a'], 'output_all_columns': False}",
  ]);
});

it("has columns of lists as pyarrow 21.0.0 has them, and hands a data set's functions tables", async () => {
  const here = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
  const { lines } = await printed(`${here("arrow_lists.py")}
from datasets import Dataset
d = Dataset.from_dict({"a": [[1, 2], [3]]}).with_format("arrow")
def one_row(table):
    column = table.combine_chunks().columns[0].chunks[0]
    values = column.flatten()
    assert len(column.values) == len(values)
    return pa.Table.from_arrays([pa.ListArray.from_arrays([0, len(values)], values)], names=["a"])
print(d.map(one_row, batched=True).with_format(None)[0])
`);
  expect(lines).toEqual([...here("arrow_lists.txt").trim().split("\n"), "{'a': [1, 2, 3]}"]);
});

it("finds and reads folders of pictures, tables and texts that are there as datasets 4.4.2 does", async () => {
  const here = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
  const { lines, assumed } = await printed(here("data_folders.py"));
  expect(lines).toEqual(here("data_folders.txt").trim().split("\n"));
  expect(assumed).not.toContain("dataset_guessed");
});
