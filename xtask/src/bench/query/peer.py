"""semble on a tree, as the peer of `cargo xtask bench query`.

Usage: peer.py TOKENIZER_JSON WORK_FOLDER TREE QUESTIONS_JSON ROUNDS

Its own model is on a server; for times a table of random numbers of the same width does as well. Prints the number of
chunks, the milliseconds of every question in one process, and the peak of memory in bytes.
"""

import json
import os
import resource
import sys
import time
from pathlib import Path

tokenizer_file, work, tree, questions_file, rounds = sys.argv[1:]
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HOME"] = os.environ["XDG_CACHE_HOME"] = work

import numpy as np  # noqa: E402
from model2vec.model import StaticModel  # noqa: E402
from semble import SembleIndex  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

model_folder = Path(work) / "random-256"
if not model_folder.exists():
    tokenizer = Tokenizer.from_file(tokenizer_file)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    numbers = np.random.default_rng(1).standard_normal((tokenizer.get_vocab_size(), 256), dtype=np.float32)
    StaticModel(vectors=numbers, tokenizer=tokenizer).save_pretrained(str(model_folder))

index = SembleIndex.from_path(tree, model_path=str(model_folder))
questions = json.loads(Path(questions_file).read_text())
millis = []
for round in range(int(rounds) + 1):
    for question in questions:
        started = time.perf_counter()
        index.search(question, top_k=10)
        # The first round warms up.
        if round > 0:
            millis.append((time.perf_counter() - started) * 1e3)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"chunks": len(index.chunks), "millis": millis, "peak_bytes": peak}))
