"""sentencepiece: models by the pieces in their files.

Real: pieces and ids of a model file, special ids. Not: scores; a text is split into its longest pieces. Training counts words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import note
from tokenizers._words import Splitter, words

if TYPE_CHECKING:
    from typing import Any, NoReturn


__version__ = "0.2.1"
# Where there is no file: the size of Llama's vocabulary.
MISSING_PIECES = 32_000


def _pieces(data):
    """The pieces of a model: field 1 of each entry in field 1 of the protocol buffer."""
    found, at = [], 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == 2:
            size, at = _varint(data, at)
            if key >> 3 == 1:
                found.append(_first_text(data[at : at + size]))
            at += size
        elif kind == 0:
            _, at = _varint(data, at)
        else:
            at += 4 if kind == 5 else 8
    return found


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def _first_text(entry):
    if entry[:1] != b"\n":
        return ""
    size, at = _varint(entry, 1)
    return entry[at : at + size].decode("utf-8", "replace")


class SentencePieceProcessor:
    """Texts to ids."""

    def __init__(self, model_file: str | None = None, model_proto: Any = None, **_: Any) -> None:
        self._names = []
        if model_file is not None:
            self.Load(model_file)
        elif model_proto is not None:
            self._take(_pieces(model_proto))

    def _take(self, names):
        self._names = names
        self._ids = {name: i for i, name in enumerate(names)}
        self._splitter = Splitter(self._ids, self._ids.get("<unk>", 0))

    def Load(self, model_file: str | None = None, model_proto: Any = None) -> bool:
        if model_file is None:
            self._take(_pieces(model_proto))
            return True
        try:
            with open(model_file, "rb") as file:
                names = _pieces(file.read())
        except FileNotFoundError:
            names = ()
        if names:
            self._take(names)
        else:  # a placeholder is empty
            note("vocabulary_assumed", "library", "sentencepiece", name=model_file, tokens=MISSING_PIECES)
            self._take(["<unk>", "<s>", "</s>", *(f"▁{chr(97 + i % 26)}{i}" for i in range(MISSING_PIECES - 3))])
        return True

    load = LoadFromFile = Load

    def LoadFromSerializedProto(self, data: Any) -> bool:
        self._take(_pieces(data))
        return True

    def _one(self, text):
        note("tokens_by_pieces", "library", "sentencepiece")
        found = self._splitter.pieces(text)
        return found or [0] * max(1, len(words(text)))

    def Encode(self, input: Any, out_type: Any = int, add_bos: bool = False, add_eos: bool = False, **_: Any) -> Any:
        if isinstance(input, (list, tuple)):
            return [self.Encode(t, out_type, add_bos, add_eos) for t in input]
        ids = [self.bos_id()] * add_bos + self._one(input) + [self.eos_id()] * add_eos
        return ids if out_type is int else [self._names[i] for i in ids]

    encode = encode_as_ids = EncodeAsIds = Encode

    def EncodeAsPieces(self, input: Any) -> Any:
        return self.Encode(input, str)

    encode_as_pieces = EncodeAsPieces

    def Decode(self, input: Any, **_: Any) -> str | list:
        if input and isinstance(input[0], (list, tuple)):
            return [self.Decode(i) for i in input]
        names = [i if isinstance(i, str) else self._names[int(i)] for i in input]
        return "".join(names).replace("▁", " ").strip()

    decode = decode_ids = DecodeIds = decode_pieces = Decode

    def GetPieceSize(self) -> int:
        return len(self._names)

    get_piece_size = vocab_size = piece_size = __len__ = GetPieceSize

    def PieceToId(self, piece: Any) -> Any:
        return [self.PieceToId(p) for p in piece] if isinstance(piece, list) else self._ids.get(piece, self.unk_id())

    def IdToPiece(self, id: int) -> Any:
        return [self._names[i] for i in id] if isinstance(id, list) else self._names[id]

    piece_to_id, id_to_piece = PieceToId, IdToPiece

    def _special(self, *names):
        return next((self._ids[n] for n in names if n in self._ids), -1)

    unk_id = lambda self: max(self._special("<unk>"), 0)
    bos_id = lambda self: self._special("<s>", "<bos>")
    eos_id = lambda self: self._special("</s>", "<eos>")
    pad_id = lambda self: self._special("<pad>")
    is_unknown = IsUnknown = lambda self, id: id == self.unk_id()
    is_control = IsControl = lambda self, id: self._names[id] in ("<s>", "</s>", "<pad>")


class SentencePieceTrainer:
    @staticmethod
    def Train(*_: Any, **__: Any) -> NoReturn:
        raise RuntimeError("vramscope trains no sentencepiece models; name a model file")

    train = Train
