"""Two training steps of a small model with adapters of peft."""
import sys, torch, transformers
from peft import LoraConfig, get_peft_model
mode = sys.argv[1]
config = transformers.AutoConfig.for_model("llama", vocab_size=1000, hidden_size=192, intermediate_size=500, num_hidden_layers=2, num_attention_heads=6, num_key_value_heads=2)
model = transformers.AutoModelForCausalLM.from_config(config).to(torch.bfloat16).cuda()
if "ckpt" in mode:
    model.gradient_checkpointing_enable()
model = get_peft_model(model, LoraConfig(r=16, lora_alpha=32, lora_dropout=0.05 if "drop" in mode else 0.0, target_modules="all-linear" if "all" in mode else ["q_proj", "v_proj"], use_dora="dora" in mode, task_type="CAUSAL_LM"))
model.train()
print(sum(p.numel() for p in model.parameters() if p.requires_grad), torch.cuda.memory_allocated())
optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad])
for step in range(2):
    ids = torch.zeros(2, 64, dtype=torch.int64, device="cuda")
    torch.cuda.reset_peak_memory_stats()
    loss = model(input_ids=ids, labels=ids).loss
    print("forward", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    loss.backward()
    print("backward", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    optimizer.step()
    optimizer.zero_grad()
    print("step", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
