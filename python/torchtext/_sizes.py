"""How large the published data sets of torchtext are: rows of their parts, words that occur in them, words of a usual row."""

from __future__ import annotations

_SENTENCE = (
    "two young men are outside near many bushes and a man in a blue shirt is standing on a ladder cleaning a window"
).split()
# rows of train, validation and test; different words; words of a usual row
SIZES = {
    "IMDB": ((25_000, 0, 25_000), 280_000, 233),
    "SST": ((8_544, 1_101, 2_210), 16_600, 19),
    "SST2": ((67_349, 872, 1_821), 14_800, 10),
    "TREC": ((5_452, 0, 500), 8_700, 10),
    "SNLI": ((549_367, 9_842, 9_824), 37_000, 12),
    "MultiNLI": ((392_702, 9_815, 9_796), 80_000, 16),
    "UDPOS": ((12_543, 2_002, 2_077), 19_700, 16),
    "CoNLL2000Chunking": ((8_042, 894, 2_012), 19_100, 24),
    "Multi30k": ((29_000, 1_014, 1_000), 19_000, 13),
    "IWSLT": ((196_884, 993, 1_305), 130_000, 20),
    "IWSLT2016": ((196_884, 993, 1_305), 130_000, 20),
    "IWSLT2017": ((206_112, 888, 1_568), 130_000, 20),
    "WMT14": ((4_500_966, 3_000, 3_003), 50_000, 27),
    "AG_NEWS": ((120_000, 0, 7_600), 95_800, 40),
    "YelpReviewPolarity": ((560_000, 0, 38_000), 500_000, 133),
    "DBpedia": ((560_000, 0, 70_000), 800_000, 55),
    "WikiText2": ((36_718, 3_760, 4_358), 33_300, 57),
    "WikiText103": ((1_801_350, 3_760, 4_358), 267_700, 57),
    "PennTreebank": ((42_068, 3_370, 3_761), 10_000, 21),
}
# the same as one text: words of train, validation and test; different words
LONG = {"WikiText2": ((2_088_628, 217_646, 245_569), 33_300), "PennTreebank": ((929_589, 73_760, 82_430), 10_000)}


def sentence(words: int) -> str:
    return " ".join((_SENTENCE * (words // len(_SENTENCE) + 1))[:words])
