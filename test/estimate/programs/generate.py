"""Six tokens by transformers' generate(): greedily, by sampling, or with a mask given."""
import sys, torch, transformers
mode = sys.argv[1] if len(sys.argv) > 1 else "greedy"
config = transformers.AutoConfig.for_model("llama", vocab_size=1000, hidden_size=192, intermediate_size=500, num_hidden_layers=2, num_attention_heads=6, num_key_value_heads=2)
model = transformers.AutoModelForCausalLM.from_config(config).to(torch.bfloat16).eval().cuda()
ids = torch.zeros(2, 37, dtype=torch.int64, device="cuda")
kw = {"greedy": {}, "sample": dict(do_sample=True, temperature=0.7, top_p=0.9), "static": dict(cache_implementation="static", disable_compile=True), "mask": dict(attention_mask=torch.ones_like(ids))}[mode]
torch.cuda.reset_peak_memory_stats()
print(torch.cuda.memory_allocated())
out = model.generate(ids, max_new_tokens=6, **kw)
print(out.shape, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
del out
print(torch.cuda.memory_allocated())
