"""Columns and numbers of rows of data sets that programs load by name; recalled from their pages on huggingface.co/datasets.

How many rows there are changes no figure but the number of steps.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from ._features import (
    Audio,
    ClassLabel,
    Clock,
    Features,
    Form,
    Identifier,
    Image,
    Messages,
    Page,
    Sequence,
    Translation,
    Value,
    Word,
)

_TEXT = Value("string")
_NUMBER = Value("int32")
_REAL = Value("float32")


def _texts(*names):
    return {name: _TEXT for name in names}


def _glue(*names, classes=("0", "1")):
    label = _REAL if classes is None else ClassLabel(names=list(classes))
    return {**_texts(*names), "label": label, "idx": _NUMBER}


_PAIR = ("sentence1", "sentence2")
_THREE = ("entailment", "neutral", "contradiction")
_SQUAD = {
    **_texts("id", "title", "context", "question"),
    "answers": Sequence({"text": _TEXT, "answer_start": _NUMBER}),
}
_IMDB = {"text": _TEXT, "label": ClassLabel(names=["neg", "pos"])}
_ALPACA = _texts("instruction", "input", "output")
_CHAT = {"messages": Messages()}
_PREFERENCES = {"chosen": Messages(), "rejected": Messages()}
_PREFERRED = _texts("prompt", "chosen", "rejected")
_JUDGED = {"prompt": Messages(), "completion": Messages(), "label": Value("bool")}
_STEPS = {"prompt": _TEXT, "completions": Sequence(_TEXT), "labels": Sequence(Value("bool"))}
_DIALOGUE = Form("\n\nHuman: {}\n\nAssistant: {}")
_WIKITEXT = {"text": _TEXT}
_NEWS = {"text": _TEXT, "label": ClassLabel(num_classes=4)}
_SQUARE = Image(size=(512, 512))
_ENTITIES = ("PER", "ORG", "LOC", "MISC")
_NLI = {"train": 557850, "dev": 6584, "test": 6609}
_EMOTIONS = "anger anticipation disgust fear joy love optimism pessimism sadness surprise trust".split()
_CAPTIONED = {"image": Image(size=(512, 512)), "text": _TEXT}

# name, or name/configuration: columns and rows of each split
KNOWN = {
    "glue/cola": (_glue("sentence"), {"train": 8551, "validation": 1043, "test": 1063}),
    "glue/sst2": (_glue("sentence"), {"train": 67349, "validation": 872, "test": 1821}),
    "glue/mrpc": (_glue(*_PAIR), {"train": 3668, "validation": 408, "test": 1725}),
    "glue/stsb": (_glue(*_PAIR, classes=None), {"train": 5749, "validation": 1500, "test": 1379}),
    "glue/qqp": (_glue("question1", "question2"), {"train": 363846, "validation": 40430, "test": 390965}),
    "glue/qnli": (_glue("question", "sentence"), {"train": 104743, "validation": 5463, "test": 5463}),
    "glue/rte": (_glue(*_PAIR), {"train": 2490, "validation": 277, "test": 3000}),
    "glue/wnli": (_glue(*_PAIR), {"train": 635, "validation": 71, "test": 146}),
    "glue/mnli": (
        _glue("premise", "hypothesis", classes=_THREE),
        {
            "train": 392702,
            "validation_matched": 9815,
            "validation_mismatched": 9832,
            "test_matched": 9796,
            "test_mismatched": 9847,
        },
    ),
    "quora/corpus": ({"_id": Identifier(), **_texts("title", "text")}, {"corpus": 522931}),
    "quora/queries": ({"_id": Identifier(), **_texts("title", "text")}, {"queries": 15000}),
    "quora-qrels": (
        {"query-id": Value("int64"), "corpus-id": Value("int64"), "score": Value("int64")},
        {"test": 15675, "validation": 7626},
    ),
    "quora-duplicates/pair": (_texts("anchor", "positive"), {"train": 149263}),
    "quora-duplicates/pair-class": ({**_texts(*_PAIR), "label": ClassLabel(num_classes=2)}, {"train": 404290}),
    "quora-duplicates/triplet": (_texts("anchor", "positive", "negative"), {"train": 101762}),
    "imdb": (_IMDB, {"train": 25000, "test": 25000, "unsupervised": 50000}),
    "rotten_tomatoes": (_IMDB, {"train": 8530, "validation": 1066, "test": 1066}),
    "ag_news": (_NEWS, {"train": 120000, "test": 7600}),
    "yelp_review_full": ({"label": ClassLabel(num_classes=5), "text": _TEXT}, {"train": 650000, "test": 50000}),
    "squad": (_SQUAD, {"train": 87599, "validation": 10570}),
    "squad_v2": (_SQUAD, {"train": 130319, "validation": 11873}),
    "wikitext/wikitext-2-raw-v1": (_WIKITEXT, {"train": 36718, "validation": 3760, "test": 4358}),
    "wikitext/wikitext-2-v1": (_WIKITEXT, {"train": 36718, "validation": 3760, "test": 4358}),
    "wikitext/wikitext-103-raw-v1": (_WIKITEXT, {"train": 1801350, "validation": 3760, "test": 4358}),
    "wikitext/wikitext-103-v1": (_WIKITEXT, {"train": 1801350, "validation": 3760, "test": 4358}),
    "cnn_dailymail": (
        _texts("article", "highlights", "id"),
        {"train": 287113, "validation": 13368, "test": 11490},
    ),
    "xsum": (_texts("document", "summary", "id"), {"train": 204045, "validation": 11332, "test": 11334}),
    "samsum": (_texts("id", "dialogue", "summary"), {"train": 14732, "validation": 818, "test": 819}),
    "multi30k": (_texts("en", "de"), {"train": 29000, "validation": 1014, "test": 1000}),
    "banking77": ({"text": _TEXT, "label": ClassLabel(num_classes=77)}, {"train": 10003, "test": 3080}),
    "gsm8k": ({"question": _TEXT, "answer": Form("{}\n#### 7")}, {"train": 7473, "test": 1319}),
    "alpaca": (_texts("instruction", "input", "output", "text"), {"train": 52002}),
    "alpaca-cleaned": (_ALPACA, {"train": 51760}),
    "databricks-dolly-15k": (_texts("instruction", "context", "response", "category"), {"train": 15011}),
    "openassistant-guanaco": ({"text": Form("### Human: {}### Assistant: {}")}, {"train": 9846, "test": 518}),
    "capybara": (_CHAT, {"train": 15806, "test": 200}),
    "ultrachat_200k": (
        {**_texts("prompt", "prompt_id"), **_CHAT},
        {"train_sft": 207865, "test_sft": 23110, "train_gen": 256032, "test_gen": 28304},
    ),
    "ultrafeedback_binarized": (
        {**_PREFERENCES, "score_chosen": _REAL, "score_rejected": _REAL},
        {"train": 62135, "test": 1000},
    ),
    "hh-rlhf": (dict.fromkeys(("chosen", "rejected"), _DIALOGUE), {"train": 160800, "test": 8552}),
    # from the scripts in examples/datasets of trl, which made them
    "hh-rlhf-helpful-base": ({"prompt": Messages(), **_PREFERENCES}, {"train": 43835, "test": 2354}),
    "hh-rlhf-helpful-base-trl-style": ({"prompt": _TEXT, **_PREFERENCES}, {"train": 43835, "test": 2354}),
    "descriptiveness-sentiment-trl-style": (
        {"prompt": _TEXT, **_PREFERENCES},
        {"descriptiveness": 5425, "sentiment": 5480},
    ),
    "lm-human-preferences-descriptiveness": (_PREFERRED, {"train": 12304, "test": 1000}),
    "lm-human-preferences-sentiment": (_PREFERRED, {"train": 12304, "test": 1000}),
    "tldr-preference": (_PREFERRED, {"train": 92858, "validation": 83802}),
    "ultrafeedback-prompt": ({"prompt": Messages()}, {"train": 39336, "test": 1000}),
    "ultrafeedback-gpt-3.5-turbo-helpfulness": (_JUDGED, {"train": 15254, "test": 1000}),
    "chatbot_arena_completions": (_CHAT, {"train": 28487, "test": 1000}),
    "math_shepherd": (_STEPS, {"train": 422422, "test": 22233}),
    "deepmath-103k": ({"prompt": Messages(), "solution": _TEXT}, {"train": 97870, "test": 5152}),
    "rlaif-v": ({"prompt": Messages(), **_PREFERENCES, "images": Sequence(Image())}, {"train": 82311, "test": 831}),
    "english_quotes": ({**_texts("quote", "author"), "tags": Sequence(_TEXT)}, {"train": 2508}),
    "financial_phrasebank": (
        {"sentence": _TEXT, "label": ClassLabel(names=["negative", "neutral", "positive"])},
        {"train": 2264},
    ),
    "raft/twitter_complaints": (
        {"Tweet text": _TEXT, "ID": _NUMBER, "Label": ClassLabel(names=["Unlabeled", "complaint", "no complaint"])},
        {"train": 50, "test": 3399},
    ),
    "datasets-for-simcse": (_WIKITEXT, {"train": 1000000}),
    "openwebtext": ({"text": _TEXT}, {"train": 8013769}),
    "c4": ({"text": Page(), **_texts("timestamp", "url")}, {"train": 364868892, "validation": 364608}),
    "ptb_text_only": ({"sentence": _TEXT}, {"train": 42068, "validation": 3370, "test": 3761}),
    "tinystories": ({"text": _TEXT}, {"train": 2119719, "validation": 21990}),
    "twitter-financial-news-sentiment": (
        {"text": _TEXT, "label": Value("int64", below=3)},
        {"train": 9938, "validation": 2486},
    ),
    "cifar10": (
        {"img": Image(size=(32, 32)), "label": ClassLabel(num_classes=10)},
        {"train": 50000, "test": 10000},
    ),
    "mnist": (
        {"image": Image(mode="L", size=(28, 28)), "label": ClassLabel(num_classes=10)},
        {"train": 60000, "test": 10000},
    ),
    "fashion_mnist": (
        {"image": Image(mode="L", size=(28, 28)), "label": ClassLabel(num_classes=10)},
        {"train": 60000, "test": 10000},
    ),
    "food101": (
        {"image": Image(size=(512, 512)), "label": ClassLabel(num_classes=101)},
        {"train": 75750, "validation": 25250},
    ),
    "beans": (
        {"image_file_path": _TEXT, "image": Image(size=(500, 500)), "labels": ClassLabel(num_classes=3)},
        {"train": 1034, "validation": 133, "test": 128},
    ),
    "imagenet-1k": (
        {"image": Image(size=(500, 375)), "label": ClassLabel(num_classes=1000)},
        {"train": 1281167, "validation": 50000, "test": 100000},
    ),
    "smithsonian_butterflies_subset": ({"image": Image(size=(512, 512)), "name": _TEXT}, {"train": 1000}),
    "flowers-102-categories": ({"image": Image(size=(600, 500))}, {"train": 8189}),
    "pokemon-blip-captions": (_CAPTIONED, {"train": 833}),
    "naruto-blip-captions": (_CAPTIONED, {"train": 1221}),
    "fill50k": ({"image": _SQUARE, "conditioning_image": _SQUARE, "text": _TEXT}, {"train": 50000}),
    "instructpix2pix-1000-samples": (
        {"input_image": _SQUARE, "edit_prompt": _TEXT, "edited_image": _SQUARE},
        {"train": 1000},
    ),
    "sem_eval_2018_task_1/subtask5.english": (
        {**_texts("ID", "Tweet"), **dict.fromkeys(_EMOTIONS, Value("bool"))},
        {"train": 6838, "test": 3259, "validation": 886},
    ),
    "breast-cancer": (
        {"image": Image(size=(256, 256)), "label": Image(mode="I", size=(256, 256))},
        {"train": 130},
    ),
    "cppe-5": (
        {
            "image_id": Value("int64"),
            "image": Image(size=(943, 663)),
            **dict.fromkeys(("width", "height"), _NUMBER),
            "objects": Sequence(
                {
                    **dict.fromkeys(("id", "area"), Value("int64")),
                    "bbox": Sequence(_REAL, length=4),
                    "category": ClassLabel(names=["Coverall", "Face_Shield", "Gloves", "Goggles", "Mask"]),
                }
            ),
        },
        {"train": 1000, "test": 29},
    ),
    "sidewalk-semantic": (
        {"pixel_values": Image(size=(1920, 1080)), "label": Image(mode="L", size=(1920, 1080))},
        {"train": 1000},
    ),
    "conll2003": (
        {
            "id": _TEXT,
            # 203,621 tokens in 14,041 sentences
            "tokens": Sequence(Word(), usual=14),
            "pos_tags": Sequence(ClassLabel(num_classes=47), usual=14),
            "chunk_tags": Sequence(ClassLabel(num_classes=23), usual=14),
            "ner_tags": Sequence(ClassLabel(names=["O", *(f"{at}-{of}" for of in _ENTITIES for at in "BI")]), usual=14),
        },
        {"train": 14041, "validation": 3250, "test": 3453},
    ),
    "swag": (
        {
            **_texts("video-id", "fold-ind", "startphrase", "sent1", "sent2", "gold-source"),
            **_texts(*(f"ending{at}" for at in range(4))),
            "label": ClassLabel(num_classes=4),
        },
        {"train": 73546, "validation": 20006, "test": 20005},
    ),
    "superb/ks": (
        {"file": _TEXT, "audio": Audio(seconds=1), "label": ClassLabel(num_classes=12)},
        {"train": 51094, "validation": 6798, "test": 3081},
    ),
    "all-nli/pair": (_texts("anchor", "positive"), _NLI),
    "all-nli/pair-class": ({**_texts("premise", "hypothesis"), "label": ClassLabel(names=list(_THREE))}, _NLI),
    "all-nli/pair-score": ({**_texts(*_PAIR), "score": _REAL}, _NLI),
    "all-nli/triplet": (_texts("anchor", "positive", "negative"), _NLI),
    "stsb": ({**_texts(*_PAIR), "score": _REAL}, {"train": 5749, "validation": 1500, "test": 1379}),
    "gooaq": (_texts("question", "answer"), {"train": 3012496}),
    "natural-questions": (_texts("query", "answer"), {"train": 100231}),
    "kto-mix-14k": (_JUDGED, {"train": 13500, "test": 1500}),
    "tldr": (_texts("prompt", "completion"), {"train": 116722, "validation": 6447, "test": 6553}),
    "prm800k": (_STEPS, {"train": 41177, "test": 1219}),
}
# translations by pairs of languages, which the configuration names: rows of each split
_PAIRS = {
    "opus_books": {"train": 10000},
    "opus100": {"train": 1000000, "validation": 2000, "test": 2000},
    "kde4": {"train": 100000},
    "wmt14": {"train": 4508785, "validation": 3000, "test": 3003},
    "wmt16": {"train": 4548885, "validation": 2169, "test": 2999},
    "iwslt2017": {"train": 200000, "validation": 890, "test": 8000},
}
# collections of time series, which the configuration names
_OF_SERIES = ("time-series-library",)
UNKNOWN = ({"text": _TEXT}, {"train": 10000, "validation": 1000, "test": 1000})


def _series(name):
    from vramscope_data.published_tables import SERIES

    return SERIES.get(f"{name}.csv".lower())


def find(path: str, name: str) -> tuple:
    """Columns and splits of a data set, and whether it is known; `path` with or without its owner."""
    short = str(path).rstrip("/").rpartition("/")[2].lower()
    for key in (f"{short}/{name}".lower(), short):
        for known, (columns, splits) in KNOWN.items():
            if known.lower() == key:
                return Features(columns), splits, True
    if short in _PAIRS:
        languages = str(name or "").removeprefix(f"{short}-").split("-")
        columns = {"translation": Translation(languages if len(languages) == 2 else ())}
        return Features({"id": _TEXT, **columns} if short == "opus_books" else columns), _PAIRS[short], True
    known = _series(name) if short in _OF_SERIES else None
    if known is not None:
        clock = Clock(datetime.fromisoformat(known.first), timedelta(minutes=known.minutes))
        numbers = dict.fromkeys((*known.columns, "OT"), Value("float64"))
        return Features({"date": clock, **numbers}), {"train": known.rows}, True
    columns, splits = UNKNOWN
    return Features(columns), splits, False
