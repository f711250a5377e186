"""Small values: added tokens, what encoding a text gives, strings on their way through a tokenizer."""


class AddedToken:
    """A token that is never split."""

    def __init__(self, content="", single_word=False, lstrip=False, rstrip=False, normalized=None, special=False):
        self.content, self.single_word, self.lstrip, self.rstrip, self.special = (
            content,
            single_word,
            lstrip,
            rstrip,
            special,
        )
        self.normalized = not special if normalized is None else normalized

    def __getstate__(self):
        return dict(self.__dict__)

    def __setstate__(self, state):
        self.__dict__.update(state)

    def __str__(self):
        return self.content

    def __repr__(self):
        return f'AddedToken("{self.content}", rstrip={self.rstrip}, lstrip={self.lstrip}, single_word={self.single_word}, normalized={self.normalized}, special={self.special})'

    def __eq__(self, other):
        return isinstance(other, AddedToken) and self.__dict__ == other.__dict__

    def __hash__(self):
        return hash(self.content)


class Encoding:
    """Ids of one text or pair, with masks of the same length."""

    def __init__(self, ids=(), special=(), types=None, tokenizer=None):
        self.ids = list(ids)
        self.special_tokens_mask = list(special) or [0] * len(self.ids)
        self.type_ids = list(types) if types is not None else [0] * len(self.ids)
        self.attention_mask = [1] * len(self.ids)
        self.overflowing = []
        self._tokenizer = tokenizer

    @property
    def tokens(self):
        return [self._tokenizer.id_to_token(i) for i in self.ids]

    @property
    def offsets(self):
        return [(i, i + 1) for i in range(len(self.ids))]

    @property
    def word_ids(self):
        return [None if s else i for i, s in enumerate(self.special_tokens_mask)]

    words = word_ids

    @property
    def sequence_ids(self):
        return [None if s else t for t, s in zip(self.type_ids, self.special_tokens_mask)]

    n_sequences = 1

    def __len__(self):
        return len(self.ids)

    def _each(self):
        return (self.ids, self.special_tokens_mask, self.type_ids, self.attention_mask)

    def truncate(self, max_length, stride=0, direction="right"):
        for values in self._each():
            values[:] = values[:max_length] if direction == "right" else values[max(len(values) - max_length, 0) :]

    def pad(self, length, direction="right", pad_id=0, pad_type_id=0, pad_token="[PAD]"):
        missing = length - len(self.ids)
        if missing <= 0:
            return
        for values, filler in zip(self._each(), (pad_id, 1, pad_type_id, 0)):
            values[:] = values + [filler] * missing if direction == "right" else [filler] * missing + values

    def token_to_chars(self, token_index):
        return (token_index, token_index + 1)

    def char_to_token(self, char_pos, sequence_index=0):
        return min(char_pos, len(self.ids) - 1) if self.ids else None

    def word_to_tokens(self, word_index, sequence_index=0):
        return (word_index, word_index + 1)


class Regex:
    """A pattern for splitting."""

    def __init__(self, pattern):
        self.pattern = pattern


class Token:
    def __init__(self, id, value, offsets):
        self.id, self.value, self.offsets = id, value, offsets


class NormalizedString:
    """A text and what became of it."""

    def __init__(self, sequence):
        self.original = self.normalized = sequence

    def __str__(self):
        return self.normalized


class PreTokenizedString:
    """A text in parts."""

    def __init__(self, sequence):
        self._text = sequence

    def get_splits(self, *_, **__):
        from ._words import words

        return [(w, (0, len(w)), None) for w in words(self._text)]
