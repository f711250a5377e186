"""tiktoken.load: files of ranks, read where they are."""

import base64


def load_tiktoken_bpe(tiktoken_bpe_file, expected_hash=None):
    with open(tiktoken_bpe_file, "rb") as file:
        return {base64.b64decode(line.split()[0]): int(line.split()[1]) for line in file if line.strip()}


def data_gym_to_mergeable_bpe_ranks(*_, **__):
    raise RuntimeError("vramscope has no network: the ranks cannot be downloaded")
