"""sentence-transformers: its modules and losses over a small BERT, in loops of one's own, on tokens that are made up."""

import torch
from phases import VOCABULARY, tokens

IMPORTS = ("sentence_transformers", "transformers.models.bert.modeling_bert")


def encoder():
    """What SentenceTransformer would read from a folder: a transformer whose tokenizer is left out, and a pooling."""
    from transformers import BertConfig, BertModel

    return BertModel(BertConfig(vocab_size=VOCABULARY, hidden_size=128, intermediate_size=256, num_hidden_layers=2, num_attention_heads=4))


class Transformer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = encoder()

    def forward(self, features, **kwargs):
        found = self.model(input_ids=features["input_ids"], attention_mask=features["attention_mask"])
        return features | {"token_embeddings": found.last_hidden_state}

    def tokenize(self, texts, **kwargs):
        raise NotImplementedError

    def get_word_embedding_dimension(self):
        return 128


def sentences(length):
    return {"input_ids": tokens(length, 4), "attention_mask": torch.ones(4, length, dtype=torch.long, device="cuda")}


def trained(loss_name, columns=2, labels=None, pooling="mean", dense=False, normalize=False, loss_given=None):
    def program(phases):
        from sentence_transformers import SentenceTransformer
        from sentence_transformers import losses
        from sentence_transformers.models import Dense, Normalize, Pooling

        modules = [Transformer(), Pooling(128, pooling_mode=pooling)]
        modules += [Dense(128, 64)] * dense + [Normalize()] * normalize
        model = SentenceTransformer(modules=modules, device="cuda")
        phases.end("model")
        loss_of = getattr(losses, loss_name)(model, **(loss_given or {})).cuda()
        optimizer = torch.optim.AdamW(loss_of.parameters(), lr=1e-4)
        given = [sentences(n) for n in (12, 16, 14)[:columns]]
        target = None if labels is None else labels()
        phases.end("inputs")
        for step in (1, 2):
            value = loss_of([dict(one) for one in given], target)
            phases.end(f"forward {step}")
            value.backward()
            phases.end(f"backward {step}")
            optimizer.step()
            optimizer.zero_grad()
            del value
            phases.end(f"step {step}")
        model.eval()
        with torch.no_grad():
            model(dict(given[0]))
        phases.end("inference")

    return program


def scores():
    return torch.rand(4, device="cuda")


def halves():
    return torch.tensor([0, 1, 0, 1], device="cuda")


PROGRAMS = {
    "MultipleNegativesRankingLoss": trained("MultipleNegativesRankingLoss"),
    "MultipleNegativesRankingLoss, three columns": trained("MultipleNegativesRankingLoss", 3),
    "MultipleNegativesSymmetricRankingLoss": trained("MultipleNegativesSymmetricRankingLoss"),
    "CachedMultipleNegativesRankingLoss": trained("CachedMultipleNegativesRankingLoss", loss_given={"mini_batch_size": 2}),
    "CosineSimilarityLoss": trained("CosineSimilarityLoss", labels=scores),
    "CoSENTLoss": trained("CoSENTLoss", labels=scores, pooling="cls"),
    "AnglELoss": trained("AnglELoss", labels=scores),
    "ContrastiveLoss": trained("ContrastiveLoss", labels=halves),
    "TripletLoss": trained("TripletLoss", 3, normalize=True),
    "MSELoss": trained("MSELoss", 1, labels=lambda: torch.randn(4, 128, device="cuda")),
    "SoftmaxLoss": trained("SoftmaxLoss", labels=halves, loss_given={"sentence_embedding_dimension": 128, "num_labels": 3}),
    "MultipleNegativesRankingLoss, dense": trained("MultipleNegativesRankingLoss", dense=True, pooling="max"),
}
