"""torchtext.vocab: words and their numbers."""

from collections import Counter

from torch import nn
from torch._stand_ins import lacks

__getattr__ = lacks("torchtext.vocab")


class Vocab(nn.Module):
    """Numbers by words, and words by numbers."""

    def __init__(self, words):
        super().__init__()
        self._words = list(words)
        self._numbers = {word: i for i, word in enumerate(self._words)}
        self._default = None

    def __len__(self):
        return len(self._words)

    def __contains__(self, token):
        return token in self._numbers

    def __getitem__(self, token):
        found = self._numbers.get(token, self._default)
        if found is None:
            raise RuntimeError(f"Token {token} not found and default index is not set")
        return found

    def forward(self, tokens):
        return [self[token] for token in tokens]

    lookup_indices = forward

    def set_default_index(self, index):
        self._default = index

    def get_default_index(self):
        return self._default

    def lookup_token(self, index):
        return self._words[index]

    def lookup_tokens(self, indices):
        return [self._words[i] for i in indices]

    def get_stoi(self):
        return dict(self._numbers)

    def get_itos(self):
        return list(self._words)

    def append_token(self, token):
        self.insert_token(token, len(self))

    def insert_token(self, token, index):
        self._words.insert(index, token)
        self._numbers = {word: i for i, word in enumerate(self._words)}


def vocab(ordered_dict, min_freq=1, specials=None, special_first=True):
    words = [w for w, n in ordered_dict.items() if n >= min_freq and w not in (specials or ())]
    return Vocab([*(specials or ()), *words] if special_first else [*words, *(specials or ())])


def build_vocab_from_iterator(iterator, min_freq=1, specials=None, special_first=True, max_tokens=None):
    """The most frequent words first, those as frequent by alphabet."""
    counts = Counter(word for words in iterator for word in words)
    ordered = dict(sorted(counts.items(), key=lambda row: (-row[1], row[0])))
    if max_tokens is not None:
        ordered = dict(list(ordered.items())[: max_tokens - len(specials or ())])
    return vocab(ordered, min_freq, specials, special_first)
