"""usearch and sqlite-vec, as the peers of `cargo xtask bench vectors`.

Usage: peer.py usearch|sqlite-vec DIMENSION WORK_FOLDER

Reads vectors.f32, questions.f32 and nearest.u32 (ten for each question) from the folder and prints one line of JSON.
"""

import json
import os
import sys
import time
from pathlib import Path

import numpy as np

ANSWERS = 10
CHANGED = 100


def millis(work):
    started = time.perf_counter()
    result = work()
    return (time.perf_counter() - started) * 1e3, result


def measure(ask, questions, nearest):
    times, right = [], 0
    for question, best in zip(questions, nearest):
        took, found = millis(lambda: ask(question))
        times.append(took)
        right += len(set(found) & set(best.tolist()))
    times.sort()
    last = len(times) - 1
    return times[last // 2], times[last * 95 // 100], right / nearest.size


def usearch(vectors, questions, nearest, path):
    import usearch as package
    from usearch.index import Index

    def new():
        return Index(ndim=vectors.shape[1], metric="cos", dtype="f32")

    index = new()
    build, _ = millis(lambda: index.add(np.arange(len(vectors)), vectors, threads=1))
    index.save(str(path))

    def reopened():
        opened = new()
        opened.view(str(path))
        return opened

    def ask(question):
        return [int(key) for key in index.search(question, ANSWERS, threads=1).keys]

    def update():
        keys = np.arange(CHANGED) * 7
        index.remove(keys)
        index.add(keys, vectors[keys], threads=1)
        index.save(str(path))

    opened, other = millis(reopened)
    first, _ = millis(lambda: other.search(questions[0], ANSWERS))
    p50, p95, recall = measure(ask, questions, nearest)
    size = os.path.getsize(path)
    return f"usearch {package.__version__}", build, size, p50, p95, recall, millis(update)[0], opened, first


def sqlite_vec(vectors, questions, nearest, path):
    # That of Python itself is often built without extensions.
    import pysqlite3 as sqlite3
    import sqlite_vec as package

    def connect():
        database = sqlite3.connect(path)
        database.enable_load_extension(True)
        package.load(database)
        return database

    database = connect()
    width = vectors.shape[1]
    create = f"CREATE VIRTUAL TABLE v USING vec0(embedding FLOAT[{width}] distance_metric=cosine)"

    def rows(ids):
        return ((int(at), vectors[at].tobytes()) for at in ids)

    insert = "INSERT INTO v(rowid, embedding) VALUES (?, ?)"

    def build():
        with database:
            database.execute(create)
            database.executemany(insert, rows(range(len(vectors))))

    select = "SELECT rowid FROM v WHERE embedding MATCH ? AND k = ?"

    def ask(question, database=database):
        return [row[0] for row in database.execute(select, (question.tobytes(), ANSWERS))]

    def update():
        keys = range(0, CHANGED * 7, 7)
        with database:
            database.executemany("DELETE FROM v WHERE rowid = ?", [(key,) for key in keys])
            database.executemany(insert, rows(keys))

    built, _ = millis(build)
    # All rows are looked at, so a few questions are enough.
    few = 50 if len(vectors) > 100_000 else len(questions)
    p50, p95, recall = measure(ask, questions[:few], nearest[:few])
    opened, other = millis(connect)
    first, _ = millis(lambda: ask(questions[0], other))
    size = os.path.getsize(path)
    return f"sqlite-vec {package.__version__}", built, size, p50, p95, recall, millis(update)[0], opened, first


def main():
    engine, dimension, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    vectors = np.fromfile(folder / "vectors.f32", "<f4").reshape(-1, dimension)
    questions = np.fromfile(folder / "questions.f32", "<f4").reshape(-1, dimension)
    nearest = np.fromfile(folder / "nearest.u32", "<u4").reshape(len(questions), -1)
    path = folder / f"peer-{engine}"
    path.unlink(missing_ok=True)
    run = {"usearch": usearch, "sqlite-vec": sqlite_vec}[engine]
    name, build, size, p50, p95, recall, update, opened, first = run(vectors, questions, nearest, path)
    path.unlink()
    times = {"p50_ms": p50, "p95_ms": p95, "update_ms": update, "open_ms": opened, "first_ms": first}
    print(json.dumps({"engine": name, "build_s": build / 1e3, "bytes": size, "recall": recall, **times}))


main()
