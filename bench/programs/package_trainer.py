"""Two steps of transformers.Trainer on a small Llama, with the packages that are installed."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

config = LlamaConfig(hidden_size=256, intermediate_size=688, num_hidden_layers=2, num_attention_heads=4, vocab_size=1024)
model = LlamaForCausalLM(config)

class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 8
    def __getitem__(self, i):
        ids = torch.randint(0, 1024, (64,))
        return {"input_ids": ids, "labels": ids}

trainer = Trainer(model, TrainingArguments("out", max_steps=2, per_device_train_batch_size=2, report_to=[]), train_dataset=Data())
trainer.train()
print(torch.cuda.max_memory_allocated())
