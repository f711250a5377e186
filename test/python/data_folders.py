# Folders and files of data that are there, as the real datasets finds and reads them: data_folders.txt is what datasets 4.4.2 prints.
import json
import os
import struct
import zlib

from datasets import load_dataset


def picture(path, width, height):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    chunk = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(height * (1 + 3 * width)))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def text(path, words):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(words)


def say(found):
    print({split: (len(rows), rows.column_names) for split, rows in found.items()})


for split, count in (("train", 3), ("val", 2)):
    for kind in ("dog", "cat"):
        for at in range(count):
            picture(f"pets/{split}/{kind}/{at}.png", 20 + at, 30)
pets = load_dataset("pets")
say(pets)
print(pets["train"].features["label"].names, [row["label"] for row in pets["train"]], pets["train"][1]["image"].size)
say(load_dataset("imagefolder", data_files={"train": os.path.join("pets/train", "**")}))
say(load_dataset("imagefolder", data_dir="pets/train", drop_labels=True))
for at in range(2):
    picture(f"captions/{at}.png", 16, 16)
text("captions/metadata.jsonl", "".join(json.dumps({"file_name": f"{at}.png", "text": f"no {at}"}) + "\n" for at in range(2)))
captions = load_dataset("captions", split="train")
print(captions.column_names, captions[1]["text"])
text("words/train-a.txt", "one\ntwo\n")
text("words/notes_test.txt", "three\n")
say(load_dataset("words"))
print(load_dataset("text", data_files="words/train-a.txt", keep_linebreaks=True, split="train")["text"][:])
text("paragraphs/a.txt", "one\ntwo\n\nthree")
print(load_dataset("text", data_files="paragraphs/a.txt", sample_by="paragraph", split="train")["text"][:])
text("table/a.csv", "a;b\n1;x\n2;y\n")
print(load_dataset("csv", data_files="table/a.csv", sep=";", split="train")[1])
text("inside/a.json", json.dumps({"about": [], "data": [{"n": 1}, {"n": 2}]}))
print(load_dataset("json", data_files="inside/a.json", field="data", split="train")[1])
text("said/README.md", "---\nconfigs:\n- config_name: few\n  data_files:\n  - split: train\n    path: few/*.jsonl\n- config_name: many\n  data_files: many.jsonl\n---\n")
text("said/few/a.jsonl", '{"n": 1}\n')
text("said/many.jsonl", '{"n": 1}\n{"n": 2}\n')
say(load_dataset("said", "few"))
say(load_dataset("said", "many"))
text("marks/a.txt", "one\u2028two\x0cthree\nfour\n")
print(load_dataset("text", data_files="marks/a.txt", split="train")["text"][:])
text("marks/b.jsonl", '{"t": "one\u2028two"}\n{"t": "three"}\n')
print(load_dataset("json", data_files="marks/b.jsonl", split="train")["t"][:])
