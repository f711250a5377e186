/** Evaluation in the short form of Trainer: the bytes of the installed package, which joins answers on the device, and columns left out. */

import { expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { hasArchives, unpacked } from "../real-packages.ts";

const SOURCE = `
import torch
from torch.utils.data import Dataset
from transformers import DistilBertConfig, DistilBertForSequenceClassification, TrainingArguments, Trainer
class Rows(Dataset):
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
    def __getitem__(self, i):
        tokens = torch.ones(64, dtype=torch.long)
        return {"input_ids": tokens, "attention_mask": tokens, "text": "words", "label": i % 2}
model = DistilBertForSequenceClassification(DistilBertConfig(vocab_size=2000, dim=256, hidden_dim=512, n_layers=2, n_heads=4, num_labels=300))
args = TrainingArguments("out", per_device_train_batch_size=16, per_device_eval_batch_size=32, num_train_epochs=2, eval_strategy="epoch", report_to="none", save_strategy="no")
count = lambda given: {"rows": given.predictions.shape[0]}
trainer = Trainer(model=model, args=args, train_dataset=Rows(48), eval_dataset=Rows(320), compute_metrics=count)
def told(*more): print(*more, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved())
told(trainer.evaluate()["eval_rows"])
found = trainer.predict(Rows(100))
told(found.predictions.shape, found.label_ids.shape)
trainer.train()
told()
`;

const ran = async (sitePackages: readonly string[]) => {
  const { errorText, stdout } = await vramscope.run({ script: "p.py", source: SOURCE, gpu: "a100", sitePackages });
  expect(errorText).toBeNull();
  return stdout.split(/[\r\n]+/).filter((line) => /^(?:\d+|\(\d+, \d+\) \(\d+,\)) \d+ \d+/.test(line));
};

it("keeps answers of all rows, and takes only the columns that a model takes", async () => {
  const [evaluated, predicted] = await ran([]);
  expect(evaluated).toMatch(/^320 /);
  expect(predicted).toMatch(/^\(100, 300\) \(100,\) /);
});

it.skipIf(!hasArchives)("has the bytes of the package", { timeout: 240_000 }, async () => {
  const short = await ran([]);
  expect(short).toHaveLength(3);
  expect(short).toEqual(await ran([unpacked(["transformers", "accelerate"])]));
});
