# What there is no room for in a text comes as further encodings: overflowing_tokens.txt is what tokenizers 0.23.1 prints.
from tokenizers import Tokenizer, models, pre_tokenizers, processors
words="a b c d e f g h i j k l m n o p q r s t".split()
t=Tokenizer(models.WordLevel({w:i for i,w in enumerate(["[PAD]","[CLS]","[SEP]","[UNK]",*words])},unk_token="[UNK]")); t.pre_tokenizer=pre_tokenizers.Whitespace()
t.post_processor=processors.TemplateProcessing(single="[CLS] $A [SEP]",pair="[CLS] $A [SEP] $B:1 [SEP]:1",special_tokens=[("[CLS]",1),("[SEP]",2)])
long=" ".join(words)
def say(e): print([x.ids for x in [e,*e.overflowing]], [x.attention_mask for x in e.overflowing[-1:]])
for kind in ("only_second","only_first","longest_first"):
    for direction in ("right","left"):
        t.enable_truncation(12,stride=2,strategy=kind,direction=direction); t.enable_padding(length=14)
        if kind!="only_first": say(t.encode("a b c",long))
        if kind!="only_second": say(t.encode(long))
        if kind=="only_first": say(t.encode(long,"a b"))
t.enable_truncation(30); t.no_padding(); say(t.encode("a b")) ; print(len(t.encode(long).overflowing))
