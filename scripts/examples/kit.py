"""Makes small models, tokenizers and data under the folder `kit`, for the real PyTorch and for the simulator alike.

usage: kit.py FOLDER, with the real torch, transformers, tokenizers, numpy and Pillow. The same words come out each time. Texts are longer than what
programs keep of them, so that the shuffling of rows changes no shape.
"""

import csv
import json
import os
import random
import struct
import sys

import numpy
import torch
import transformers
from PIL import Image
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

ROWS = 64
PICTURES = 16
VOCABULARY = 2000
SIZES = {"hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4}
SYLLABLES = [a + b + c for a in "bdfklmnprst" for b in "aeiou" for c in ("", "n", "r", "s")]


def _main(folder):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    random.seed(0)
    numpy.random.seed(0)
    words = ["".join(random.choices(SYLLABLES, k=random.randint(1, 3))) for _ in range(3000)]

    def text(count):
        return " ".join(random.choices(words, k=count))

    _texts(text)
    _conversations(text)
    _pictures()
    corpus = [text(80) for _ in range(400)]
    _save_models(corpus)
    # what came later: the words above stay the same
    _sentences(text, corpus)
    _digits("digits", 60000, 10000)
    _digits("few-digits", 640, 128)


def _lines(path, row, count=ROWS):
    """A file with a row of JSON on each line."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as file:
        for at in range(count):
            file.write(json.dumps(row(at)) + "\n")


def _table(path, row):
    rows = [row(at) for at in range(ROWS)]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _texts(text):
    _table("scores.csv", lambda at: {"sentence1": text(300), "sentence2": text(300), "label": at / ROWS})
    _table(
        "endings.csv",
        lambda at: {
            "sent1": text(120), "sent2": text(120), **{f"ending{n}": text(120) for n in range(4)}, "label": at % 4,
        },
    )  # fmt: skip
    with open("text.txt", "w") as file:
        file.write("\n".join(text(80) for _ in range(400)))
    _lines("translation.json", lambda at: {"translation": {"en": text(300), "ro": text(300)}})
    _lines("tags.json", lambda at: {"tokens": text(200).split(), "ner_tags": random.choices(["O", "B", "I"], k=200)})
    questions = []
    for at in range(ROWS):
        context = text(400)
        word = context.split()[10]
        answers = {"text": [word], "answer_start": [context.index(word)]}
        questions.append({"id": str(at), "title": "t", "context": context, "question": text(8), "answers": answers})
    with open("squad.json", "w") as file:
        json.dump({"version": "1", "data": questions}, file)
    for split in ("train", "validation", "test"):
        _lines(
            f"glue/mrpc/{split}.jsonl",
            lambda at: {"sentence1": text(400), "sentence2": text(400), "label": at % 2, "idx": at},
        )
        _lines(f"stsb/{split}.jsonl", lambda at: {"sentence1": text(600), "sentence2": text(600), "score": at / ROWS})
    splits = "".join(f'\n  - split: {name}\n    path: "mrpc/{name}.jsonl"' for name in ("train", "validation", "test"))
    with open("glue/README.md", "w") as file:
        file.write(f"---\nconfigs:\n- config_name: mrpc\n  data_files:{splits}\n---\n")


def _conversations(text):
    def said(role, count):
        return [{"role": role, "content": text(count)}]

    for split in ("train", "test"):
        _lines(f"guanaco/{split}.jsonl", lambda at: {"text": text(700)})
        _lines(f"alpaca/{split}.jsonl", lambda at: {"instruction": text(200), "input": text(250), "output": text(300)})
        _lines(f"chat/{split}.jsonl", lambda at: {"messages": said("user", 200) + said("assistant", 800)})
        _lines(
            f"preferences/{split}.jsonl",
            lambda at: {
                "prompt": said("user", 50), "chosen": said("assistant", 500), "rejected": said("assistant", 500),
            },
        )  # fmt: skip
        _lines(f"prompts/{split}.jsonl", lambda at: {"prompt": said("user", 50)})
        _lines(
            f"verdicts/{split}.jsonl",
            lambda at: {"prompt": said("user", 50), "completion": said("assistant", 500), "label": at % 2 == 0},
        )
        _lines(
            f"steps/{split}.jsonl",
            lambda at: {"prompt": text(100), "completions": [text(200) for _ in range(3)], "labels": [True] * 3},
        )


def _configurations(folder, rows, counts):
    """A data set of several configurations, each with a row's make and the splits that `counts` has."""
    lines = ["---", "configs:"]
    for name, row in rows.items():
        lines += [f"- config_name: {name}", "  data_files:"]
        for split, count in counts.items():
            _lines(f"{folder}/{name}/{split}.jsonl", row, count)
            lines += [f"  - split: {split}", f'    path: "{name}/{split}.jsonl"']
    with open(f"{folder}/README.md", "w") as file:
        file.write("\n".join([*lines, "---", ""]))


def _sentences(text, corpus):
    """Pairs and triplets as sentence-transformers' examples ask for them, and an encoder as wide as theirs that keeps 32 tokens."""
    rows = {
        "triplet": lambda at: {"anchor": text(40), "positive": text(40), "negative": text(40)},
        "pair-class": lambda at: {"premise": text(40), "hypothesis": text(40), "label": at % 3},
        "pair-score": lambda at: {"sentence1": text(40), "sentence2": text(40), "score": at % 3 / 2},
    }
    _configurations("all-nli", rows, {"train": 10000, "dev": 1000, "test": 100})
    marks = {
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "mask_token": "[MASK]",
    }
    tokens = transformers.PreTrainedTokenizerFast(tokenizer_object=_word_pieces(corpus), model_max_length=32, **marks)
    config = transformers.DistilBertConfig(vocab_size=VOCABULARY, n_layers=3)
    tokens.save_pretrained("short")
    transformers.DistilBertForMaskedLM(config).save_pretrained("short")


def _digits(folder, training, testing):
    """Pictures of 28 by 28 in the files that MNIST comes in; all of them are black."""
    os.makedirs(f"{folder}/raw", exist_ok=True)
    for part, count in (("train", training), ("t10k", testing)):
        with open(f"{folder}/raw/{part}-images-idx3-ubyte", "wb") as file:
            file.write(struct.pack(">4i", 0x803, count, 28, 28) + bytes(count * 28 * 28))
        with open(f"{folder}/raw/{part}-labels-idx1-ubyte", "wb") as file:
            file.write(struct.pack(">2i", 0x801, count) + bytes(at % 10 for at in range(count)))


def _pictures():
    for split in ("train", "validation"):
        for kind in ("cat", "dog"):
            os.makedirs(f"images/{split}/{kind}", exist_ok=True)
            for at in range(PICTURES):
                height, width = random.randint(60, 90), random.randint(60, 90)
                pixels = numpy.random.randint(0, 255, (height, width, 3), dtype=numpy.uint8)
                Image.fromarray(pixels).save(f"images/{split}/{kind}/{at}.png")


def _word_pieces(corpus):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(corpus, trainers.WordPieceTrainer(vocab_size=VOCABULARY, special_tokens=special))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", special.index("[CLS]")), ("[SEP]", special.index("[SEP]"))],
    )
    return tokenizer


def _byte_pairs(corpus, special):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=special, initial_alphabet=alphabet)
    tokenizer.train_from_iterator(corpus, trainer)
    return tokenizer


def _unigrams(corpus, special):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=VOCABULARY, special_tokens=special, unk_token="<unk>")
    tokenizer.train_from_iterator(corpus, trainer)
    end = ("</s>", tokenizer.token_to_id("</s>"))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[end]
    )
    return tokenizer


CHAT = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def _save_models(corpus):
    t = transformers

    def save(name, tokenizer, model):
        if tokenizer is not None:
            tokenizer.save_pretrained(name)
        model.save_pretrained(name)

    def tokens(tokenizer, length, **named):
        return t.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=length, **named)

    torch.manual_seed(0)
    bert = tokens(
        _word_pieces(corpus), 512,
        pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]",
    )  # fmt: skip
    save("bert", bert, t.BertForMaskedLM(t.BertConfig(vocab_size=VOCABULARY, intermediate_size=1024, **SIZES)))
    marks = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    roberta = tokens(
        _byte_pairs(corpus, marks), 512,
        bos_token="<s>", pad_token="<pad>", eos_token="</s>", unk_token="<unk>", cls_token="<s>", sep_token="</s>", mask_token="<mask>",
    )  # fmt: skip
    config = t.RobertaConfig(vocab_size=VOCABULARY, intermediate_size=1024, max_position_embeddings=514, **SIZES)
    save("roberta", roberta, t.RobertaForMaskedLM(config))
    end = "<|endoftext|>"
    gpt2 = tokens(_byte_pairs(corpus, [end]), 1024, bos_token=end, eos_token=end, unk_token=end)
    config = t.GPT2Config(vocab_size=VOCABULARY, n_embd=256, n_layer=4, n_head=4, bos_token_id=0, eos_token_id=0)
    save("gpt2", gpt2, t.GPT2LMHeadModel(config))
    chat = tokens(_byte_pairs(corpus, [end, "<|im_start|>", "<|im_end|>"]), 4096, eos_token="<|im_end|>", pad_token=end)
    chat.chat_template = CHAT
    decoder = {
        "vocab_size": 2048, "num_key_value_heads": 2, "intermediate_size": 768, "max_position_embeddings": 4096,
        "eos_token_id": 2, "pad_token_id": 0, "dtype": "bfloat16", **SIZES,
    }  # fmt: skip
    half = torch.bfloat16
    save("qwen2", chat, t.Qwen2ForCausalLM(t.Qwen2Config(**decoder, tie_word_embeddings=True)).to(half))
    save("llama", chat, t.LlamaForCausalLM(t.LlamaConfig(**decoder)).to(half))
    save("reward", chat, t.Qwen2ForSequenceClassification(t.Qwen2Config(**decoder, num_labels=1)).to(half))
    t5 = tokens(
        _unigrams(corpus, ["<pad>", "</s>", "<unk>"]), 512, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    config = t.T5Config(vocab_size=2048, d_model=256, d_kv=64, d_ff=1024, num_layers=3, num_heads=4, decoder_start_token_id=0)  # fmt: skip
    save("t5", t5, t.T5ForConditionalGeneration(config))
    save("vit", None, t.ViTForImageClassification(t.ViTConfig(intermediate_size=1024, **SIZES)))
    t.ViTImageProcessor().save_pretrained("vit")


_main(sys.argv[1])
