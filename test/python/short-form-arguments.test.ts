/** Options of the command line in the built-in transformers: what programs with fields of their own read is what the package reads. */

import { expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { hasArchives, unpacked } from "../real-packages.ts";

const SOURCE = `
import sys
from dataclasses import dataclass, field
from enum import Enum
from typing import List, Literal, Optional
import transformers
from transformers import HfArgumentParser
class Kind(str, Enum):
    A = "a"
    B = "b"
@dataclass
class ModelArguments:
    model_name_or_path: Optional[str] = field(default="facebook/opt-125m", metadata={"help": "which", "aliases": ["-m"]})
    freeze: bool = field(default=False)
    tune: bool = True
    kind: Kind = Kind.A
    mode: Literal["x", 2] = "x"
    layers: List[int] = field(default_factory=list)
    names: Optional[List[str]] = None
    ratio: Optional[float] = None
    maybe: Optional[bool] = None
@dataclass
class Arguments(transformers.TrainingArguments):
    cache_dir: Optional[str] = field(default=None)
    optim: str = field(default="adamw_torch")
    model_max_length: int = field(default=512)
parser = HfArgumentParser((ModelArguments, Arguments))
parser.add_argument("--extra", type=int, default=3)
sys.argv[1:] = """-m gpt2 --freeze --no_tune --kind b --mode 2 --layers 1 2 --names p q --ratio 0.5 --maybe yes --output_dir out --bf16 True
--per-device-train-batch-size 4 --num_train_epochs 2 --save_strategy steps --save_total_limit 1 --tf32 no --report_to none --model_max_length 64
--gradient_checkpointing --gradient_checkpointing_kwargs {"use_reentrant":false} --neftune_noise_alpha 5""".split()
model, training, other = parser.parse_args_into_dataclasses()
print("<", model, other)
names = """output_dir bf16 per_device_train_batch_size num_train_epochs save_total_limit gradient_checkpointing gradient_checkpointing_kwargs
model_max_length cache_dir learning_rate warmup_steps train_batch_size eval_batch_size n_gpu world_size max_grad_norm remove_unused_columns""".split()
print("<", *(getattr(training, name) for name in names))
one = HfArgumentParser(ModelArguments)
print("<", one.parse_args_into_dataclasses(["--unknown", "1"], return_remaining_strings=True)[-1])
for words, parse in ((["--unknown", "1"], one.parse_args_into_dataclasses), ({"nothing": True}, one.parse_dict)):
    try:
        parse(words)
    except ValueError as error:
        print("<", error)
open("m.yaml", "w").write("ratio: 0.25\\nnames: [a, b]\\n")
open("m.json", "w").write('{"mode": 2}')
print("<", one.parse_yaml_file("m.yaml")[0], one.parse_json_file("m.json")[0].mode)
net = transformers.GPT2LMHeadModel(transformers.GPT2Config(n_layer=1, n_embd=8, n_head=2, vocab_size=16))
for options in (None, {}):
    net.gradient_checkpointing_enable(gradient_checkpointing_kwargs=options)
    print("<", [module._gradient_checkpointing_func.keywords for module in net.modules() if hasattr(module, "_gradient_checkpointing_func")][0])
`;

const ran = async (sitePackages: readonly string[]) => {
  const { errorText, stdout, trace } = await vramscope.run({
    script: "p.py",
    source: SOURCE,
    gpu: "a100",
    sitePackages,
  });
  expect(errorText).toBeNull();
  const said = stdout.split(/[\r\n]+/).filter((line) => line.startsWith("<"));
  return { said, assumed: trace.assumptions.filter(({ code }) => code === "short_form_options") };
};

it("fills dataclasses from words, dictionaries and files, and says which settings it does not model", async () => {
  const { said, assumed } = await ran([]);
  expect(said).toHaveLength(8);
  expect(said[1]).toBe("< out True 4 2.0 1 True {'use_reentrant': False} 64 None 5e-05 0 4 8 1 1 1.0 True");
  // an empty dict, which peft's prepare_model_for_kbit_training gives, leaves the choice to torch.utils.checkpoint
  expect(said.slice(6)).toEqual(["< {'use_reentrant': False}", "< {}"]);
  expect(assumed).toHaveLength(1);
});

it.skipIf(!hasArchives)("reads what the package reads", { timeout: 240_000 }, async () => {
  expect((await ran([])).said).toEqual((await ran([unpacked(["transformers", "accelerate"])])).said);
});
