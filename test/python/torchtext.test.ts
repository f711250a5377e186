/** torchtext before 0.9 and under `legacy`: fields, vocabularies and iterators as their releases have them, placeholder rows of the published sizes. */

import { expect, it } from "vitest";
import { message } from "../../src/i18n/index.ts";
import { vramscope } from "../built.ts";

async function ended(source: string): Promise<{ lines: string[]; said: string }> {
  const result = await vramscope.run({ script: "p.py", source });
  expect(result.errorText).toBeNull();
  const said = result.trace.assumptions.map(({ code, args }) => message("en", code as "loop_cut", args)).join("\n");
  return { lines: result.stdout.trim().split("\n"), said };
}

it("pads and numbers rows as a field says", async () => {
  const { lines } = await ended(`
from collections import Counter
from torchtext.data import Field, LabelField, batch, interleave_keys
from torchtext.vocab import Vocab
field = Field(init_token="<s>", eos_token="</s>", include_lengths=True, pad_first=True)
rows = [["a", "b", "c"], ["a"]]
field.build_vocab(rows)
print(field.vocab.itos, field.pad(rows))
numbers, lengths = field.process(rows)
print(numbers.tolist(), lengths.tolist(), field.vocab.stoi["nothing"])
short = Field(fix_length=2, batch_first=True, lower=True)
short.build_vocab([short.preprocess("B b A"), short.preprocess("c")], min_freq=2)
print(short.vocab.itos, short.process([short.preprocess("B A c"), short.preprocess("b")]).tolist())
label = LabelField(); label.build_vocab([["x", "y", "y"]][0]); print(label.vocab.itos, label.process(["x", "y"]).tolist())
vocabulary = Vocab(Counter("a b b c c c".split()), max_size=2, specials=["<pad>"])
print(vocabulary.itos, vocabulary.freqs["a"], list(map(len, batch("abcdefg", 3))), interleave_keys(1, 2))
`);
  // by the rules that torchtext 0.8 documents for Field.pad, Field.numericalize and Vocab
  expect(lines).toEqual([
    "['<unk>', '<pad>', '<s>', '</s>', 'a', 'b', 'c'] (" +
      "[['<s>', 'a', 'b', 'c', '</s>'], ['<pad>', '<pad>', '<s>', 'a', '</s>']], [5, 3])",
    "[[2, 1], [4, 1], [5, 2], [6, 4], [3, 3]] [5, 3] 0",
    "['<unk>', '<pad>', 'b'] [[2, 0], [2, 1]]",
    "['y', 'x'] [1, 0]",
    "['<pad>', 'c', 'b'] 1 [3, 3, 1] 6",
  ]);
});

it("gives batches of sets that nobody has, and says of what size they are", async () => {
  const { lines, said } = await ended(`
import torch
from torchtext.legacy import data, datasets
TEXT = data.Field(tokenize="spacy", include_lengths=True, batch_first=True, fix_length=200)
LABEL = data.LabelField(dtype=torch.float)
train, test = datasets.IMDB.splits(TEXT, LABEL)
train, valid = train.split()
TEXT.build_vocab(train, max_size=25_000, vectors="glove.6B.100d"); LABEL.build_vocab(train)
print(len(train), len(valid), len(test), len(TEXT.vocab), tuple(TEXT.vocab.vectors.shape), len(LABEL.vocab))
first, *_ = data.BucketIterator.splits((train, valid, test), batch_size=32, sort_key=lambda x: len(x.text), device="cuda")
for batch in first:
    text, lengths = batch.text
    print(len(first), tuple(text.shape), text.device, tuple(batch.label.shape), batch.label.dtype)
    break
long = data.Field(); parts = datasets.WikiText2.splits(long); long.build_vocab(parts[0])
columns, *_ = data.BPTTIterator.splits(parts, batch_size=20, bptt_len=30, device="cuda")
print(len(columns), *(tuple(part.shape) for part in (next(iter(columns)).text, next(iter(columns)).target)))
table = data.TabularDataset("reviews.csv", "csv", [("text", long), ("label", LABEL)], skip_header=True)
print(len(table), table[0].label)
from torchtext.vocab import build_vocab_from_iterator
print(len(build_vocab_from_iterator(text.split() for text, _ in datasets.SST2(split="train"))) > 14_000)
`);
  expect(lines).toEqual([
    "17500 7500 25000 25002 (25002, 100) 2",
    "547 (32, 200) cuda:0 (32,) torch.float32",
    // 2,088,628 words in 20 columns, 30 rows at a time
    "3482 (30, 20) (30, 20)",
    "10000 0",
    "True",
  ]);
  expect(said).toContain("torchtext.datasets.IMDB (train): 25000 rows of about 233 words each");
  expect(said).toContain("reviews.csv: 10000 rows of about 30 words each");
});

it("reads a table that is there", async () => {
  const { lines } = await ended(`
from torchtext.data import Field, LabelField, TabularDataset
open("t.tsv", "w").write("text\\tlabel\\na b\\tyes\\nc\\tno\\n")
open("t.json", "w").write('{"q": "a b", "l": "1"}\\n')
T, L = Field(), LabelField()
(table,) = TabularDataset.splits(path=".", train="t.tsv", format="tsv", fields=[("text", T), ("label", L)], skip_header=True)
print([(one.text, one.label) for one in table])
print([(one.text, one.label) for one in TabularDataset("t.tsv", "tsv", {"label": ("label", L), "text": ("text", T)})])
print([vars(one) for one in TabularDataset("t.json", "json", {"q": ("question", T)})])
`);
  expect(lines).toEqual([
    "[(['a', 'b'], 'yes'), (['c'], 'no')]",
    "[(['a', 'b'], 'yes'), (['c'], 'no')]",
    "[{'question': ['a', 'b']}]",
  ]);
});
