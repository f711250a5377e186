"""Ids of texts: tokenizers 0.23 with models of each kind, made by hand and read from JSON."""

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
from tokenizers.implementations import BertWordPieceTokenizer, ByteLevelBPETokenizer

TEXTS = [
    "Hello world, it's 2024!",
    "  two  spaces\nand lines\t",
    "Caf\u00e9 na\u00efve \u4f60\u597d abc123",
    "don't_stop <s>now</s> x-y",
    "",
    "aaaa bbbb aabb",
]


def show(name, tokenizer):
    print(name, [tokenizer.encode(t).ids for t in TEXTS], tokenizer.encode(TEXTS[0], TEXTS[5]).ids)
    read = Tokenizer.from_str(tokenizer.to_str())
    print([read.encode(t, add_special_tokens=False).ids for t in TEXTS] == [tokenizer.encode(t, add_special_tokens=False).ids for t in TEXTS])


words = {w: i for i, w in enumerate(["[UNK]", "Hello", "world", ",", "it", "'", "s", "2024", "!", "two", "spaces", "and", "aaaa", "w1", "w12", "<s>", "</s>", "x"])}
one = Tokenizer(models.WordLevel(dict(words), unk_token="[UNK]"))
one.pre_tokenizer = pre_tokenizers.Whitespace()
show("words", one)
one.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
show("white", one)
one.add_special_tokens(["<s>", "</s>", "w1"])
print(one.encode("w1 w12 w123 <s>x").ids, one.encode("w12", "w1").ids)
one.add_tokens([AddedToken("two", lstrip=True, rstrip=True), AddedToken("aa", single_word=True)])
show("added", one)
one.post_processor = processors.TemplateProcessing(single="<s> $A </s>", pair="<s> $A </s> </s> $B:1 </s>:1", special_tokens=[("<s>", 15), ("</s>", 16)])
show("template", one)
print(one.num_special_tokens_to_add(True), one.num_special_tokens_to_add(False))
for strategy in ("longest_first", "only_first", "only_second"):
    one.enable_truncation(17, strategy=strategy)
    print(strategy, one.encode(TEXTS[0] + " two and and and and", "aaaa and and and and and and and and").ids)
one.enable_truncation(6)
one.enable_padding(pad_id=7, pad_token="2024")
print([e.ids for e in one.encode_batch(TEXTS)], [e.attention_mask for e in one.encode_batch(TEXTS)])

letters = [chr(c) for c in range(97, 123)] + list("0123456789!,'_-<>/")
pieces = ["[UNK]", "[CLS]", "[SEP]", *letters, *("##" + c for c in letters), "hello", "wor", "##ld", "##ve", "two", "##aces", "cafe", "na", "##ive", "20", "##24", "\u4f60"]
bert = BertWordPieceTokenizer({p: i for i, p in enumerate(pieces)})
print("bert", [bert.encode(t).ids for t in TEXTS], bert.encode("two", "hello").ids, bert.encode("two", "hello").type_ids)
print([(t, i) for t, i in zip(bert.encode(["two", "hello"], is_pretokenized=True).tokens, bert.encode(["two", "hello"], is_pretokenized=True).word_ids)])
print(bert.encode("hello worve two").word_ids)

alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
merges = [("h", "e"), ("l", "l"), ("he", "ll"), ("hell", "o"), ("\u0120", "w"), ("o", "r"), ("\u0120w", "or"), ("a", "a"), ("aa", "aa"), ("b", "b"), ("\u0120", "b"), ("l", "o"), ("\u0120", "a")]
vocabulary = {p: i for i, p in enumerate([*alphabet, *(a + b for a, b in merges)])}
bpe = ByteLevelBPETokenizer(dict(vocabulary), list(merges))
print("gpt2", [bpe.encode(t).ids for t in TEXTS])
bpe = ByteLevelBPETokenizer(dict(vocabulary), list(merges), add_prefix_space=True, lowercase=True)
print([bpe.encode(t).ids for t in TEXTS])
llama3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
late = Tokenizer(models.BPE(dict(vocabulary), list(merges), ignore_merges=True))
late.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(llama3), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
show("llama3", late)

spaces = {p: i for i, p in enumerate(["<unk>", "<s>", *(f"<0x{b:02X}>" for b in range(256)), "\u2581", *letters, "\u2581a", "aa", "aaa", "\u2581aa", "wo", "rl", "worl"])}
sentence = [("\u2581", "a"), ("a", "a"), ("aa", "a"), ("\u2581a", "a"), ("w", "o"), ("r", "l"), ("wo", "rl")]
llama = Tokenizer(models.BPE(spaces, sentence, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
llama.normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
show("llama", llama)
gemma = Tokenizer(models.BPE(spaces, sentence, unk_token="<unk>", fuse_unk=True))
gemma.normalizer = normalizers.Replace(" ", "\u2581")
gemma.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
show("gemma", gemma)
ends = Tokenizer(models.BPE({"a": 0, "b": 1, "a</w>": 2, "b</w>": 3, "aa": 4, "aab</w>": 5, "[UNK]": 6}, [("a", "a"), ("aa", "b</w>")], unk_token="[UNK]", end_of_word_suffix="</w>"))
ends.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
show("ends", ends)

scored = [("<unk>", 0.0), ("\u2581", -2.0), ("\u2581two", -3.5), *((c, -5.0 - i / 7) for i, c in enumerate(letters)), ("an", -4.0), ("\u2581and", -3.0), ("aaa", -6.0), ("aa", -5.5), ("wor", -4.5), ("ld", -4.4), ("s", -3.0)][:]
scored = list({p: s for p, s in scored}.items())
t5 = Tokenizer(models.Unigram(scored, unk_id=0))
t5.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " "), normalizers.Strip()])
for scheme in ("always", "first", "never"):
    t5.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme)
    show("unigram " + scheme, t5)
t5.add_special_tokens(["</s>"])
t5.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
show("unigram, added", t5)

for cut in (
    pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.Digits(), pre_tokenizers.Punctuation(), pre_tokenizers.Punctuation("contiguous"),
    pre_tokenizers.Punctuation("merged_with_previous"), pre_tokenizers.Punctuation("merged_with_next"), pre_tokenizers.CharDelimiterSplit("l"),
    pre_tokenizers.Split(Regex("[a-z]+"), "removed", invert=True), pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Metaspace(),
):
    print(type(cut).__name__, [[w for w, _ in cut.pre_tokenize_str(t)] for t in TEXTS])
for change in (
    normalizers.Lowercase(), normalizers.NFD(), normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()]), normalizers.BertNormalizer(),
    normalizers.BertNormalizer(lowercase=False), normalizers.Strip(), normalizers.Strip(right=False), normalizers.Replace(Regex("[0-9]+"), "#"), normalizers.Prepend("_"), normalizers.NFKC(),
):
    print(type(change).__name__, [change.normalize_str(t) for t in TEXTS])
