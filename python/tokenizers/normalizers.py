"""tokenizers.normalizers: changes of text before it is split; those that change its length least are run as nothing."""

from ._parts import Part, kinds

globals().update(
    kinds(
        __name__,
        "Normalizer",
        "BertNormalizer ByteLevel Lowercase NFC NFD NFKC NFKD Nmt Precompiled Prepend Replace Sequence Strip StripAccents",
    )
)


def _unchanged(self, text):
    return text


Part.normalize = Part.normalize_str = _unchanged
