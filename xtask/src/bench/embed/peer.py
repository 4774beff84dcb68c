"""MiniLM in ONNX Runtime, as the peer of `cargo xtask bench embed`.

Usage: peer.py MODEL_FOLDER WORK_FOLDER prepare
       peer.py MODEL_FOLDER WORK_FOLDER run f32|int8 THREADS TEXTS_JSON ROUNDS [VECTORS_JSON]

`prepare` writes the network of config.json and model.safetensors as an ONNX graph, fuses it with ONNX Runtime's own
optimiser and quantises it with its own dynamic quantisation. `run` embeds the texts, longest first, in batches of one
length as far as possible, and prints wall and processor seconds of each round as JSON.
"""

import json
import math
import sys
import time
from pathlib import Path

import numpy as np

BATCH = 16


def build(model: Path, out: Path) -> None:
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from safetensors.numpy import load_file

    config = json.loads((model / "config.json").read_text())
    weights = load_file(model / "model.safetensors")
    hidden, heads = config["hidden_size"], config["num_attention_heads"]
    size = hidden // heads
    nodes, constants, names = [], [], {}

    def constant(name, value):
        if name not in names:
            names[name] = True
            constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(kind, inputs, out_name=None, **attributes):
        out_name = out_name or f"n{len(nodes)}"
        nodes.append(helper.make_node(kind, inputs, [out_name], name=f"{kind}_{len(nodes)}", **attributes))
        return out_name

    def norm(x, name):
        scale = constant(name + ".weight", weights[name + ".weight"])
        bias = constant(name + ".bias", weights[name + ".bias"])
        return node("LayerNormalization", [x, scale, bias], axis=-1, epsilon=config["layer_norm_eps"])

    def linear(x, name):
        weight = constant(name + ".weight.T", weights[name + ".weight"].T)
        return node("Add", [constant(name + ".bias", weights[name + ".bias"]), node("MatMul", [x, weight])])

    def number(value):
        return constant(f"number_{value}", np.array(value, dtype=np.float32))

    def integers(values):
        return constant("integers_" + "_".join(map(str, values)), np.array(values, dtype=np.int64))

    length = node("Gather", [node("Shape", ["input_ids"]), integers([1])], axis=0)
    positions = node(
        "Slice",
        [constant("positions", weights["embeddings.position_embeddings.weight"]), integers([0]), length, integers([0])],
    )
    x = node("Gather", [constant("words", weights["embeddings.word_embeddings.weight"]), "input_ids"])
    types = node("Gather", [constant("types", weights["embeddings.token_type_embeddings.weight"]), "token_type_ids"])
    x = norm(node("Add", [node("Add", [x, types]), positions]), "embeddings.LayerNorm")

    mask = node("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    mask = node("Unsqueeze", [node("Unsqueeze", [mask, integers([1])]), integers([2])])
    mask = node("Mul", [node("Sub", [number(1.0), mask]), number(-10000.0)])
    for layer in range(config["num_hidden_layers"]):
        prefix = f"encoder.layer.{layer}."

        def split(part, order):
            y = linear(x, f"{prefix}attention.self.{part}")
            return node("Transpose", [node("Reshape", [y, integers([0, 0, heads, size])])], perm=order)

        query, key, value = split("query", [0, 2, 1, 3]), split("key", [0, 2, 3, 1]), split("value", [0, 2, 1, 3])
        scores = node("Div", [node("MatMul", [query, key]), number(math.sqrt(size))])
        share = node("Softmax", [node("Add", [scores, mask])], axis=-1)
        context = node("Transpose", [node("MatMul", [share, value])], perm=[0, 2, 1, 3])
        context = node("Reshape", [context, integers([0, 0, hidden])])
        y = linear(context, prefix + "attention.output.dense")
        x = norm(node("Add", [y, x]), prefix + "attention.output.LayerNorm")
        y = linear(x, prefix + "intermediate.dense")
        erf = node("Erf", [node("Div", [y, number(math.sqrt(2.0))])])
        y = node("Mul", [node("Mul", [y, node("Add", [erf, number(1.0)])]), number(0.5)])
        y = linear(y, prefix + "output.dense")
        x = norm(node("Add", [y, x]), prefix + "output.LayerNorm")
    nodes[-1].output[0] = "last_hidden_state"

    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "sequence", hidden])
    graph = helper.make_graph(nodes, "encoder", inputs, [output], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), out)


def prepare(model: Path, work: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.transformers import optimizer

    plain, fused = work / "plain.onnx", work / "f32.onnx"
    build(model, plain)
    config = json.loads((model / "config.json").read_text())
    graph = optimizer.optimize_model(
        str(plain),
        model_type="bert",
        num_heads=config["num_attention_heads"],
        hidden_size=config["hidden_size"],
        # Level 0: the session optimises the rest itself when it is opened.
        opt_level=0,
    )
    print(json.dumps(graph.get_fused_operator_statistics()))
    graph.save_model_to_file(str(fused))
    # Without the reduced range AVX2 overflows; the type is that of the fused operators, which have no shape of their own.
    quantize_dynamic(
        str(fused),
        str(work / "int8.onnx"),
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        extra_options={"DefaultTensorType": 1},
    )


def run(model: Path, work: Path, kind: str, threads: int, texts: list, rounds: int):
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(work / f"{kind}.onnx"), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(json.loads((model / "sentence_bert_config.json").read_text())["max_seq_length"])
    wall, processor, vectors, tokens = [], [], None, 0
    for _ in range(rounds):
        started, used = time.perf_counter(), time.process_time()
        encoded = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
        order = sorted(range(len(texts)), key=lambda at: -len(encoded[at]))
        vectors = [None] * len(texts)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            width = len(encoded[batch[0]])
            ids = np.zeros((len(batch), width), dtype=np.int64)
            mask = np.zeros_like(ids)
            for row, at in enumerate(batch):
                ids[row, : len(encoded[at])] = encoded[at]
                mask[row, : len(encoded[at])] = 1
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            state = session.run(None, feed)[0] * mask[:, :, None]
            pooled = state.sum(1) / mask.sum(1, keepdims=True)
            pooled /= np.linalg.norm(pooled, axis=1, keepdims=True)
            for row, at in enumerate(batch):
                vectors[at] = pooled[row]
        wall.append(time.perf_counter() - started)
        processor.append(time.process_time() - used)
        tokens = sum(map(len, encoded))
    return wall, processor, vectors, tokens


def main() -> None:
    model, work = Path(sys.argv[1]), Path(sys.argv[2])
    if sys.argv[3] == "prepare":
        return prepare(model, work)
    texts = json.loads(Path(sys.argv[6]).read_text())
    wall, processor, vectors, tokens = run(model, work, sys.argv[4], int(sys.argv[5]), texts, int(sys.argv[7]))
    if len(sys.argv) > 8:
        Path(sys.argv[8]).write_text(json.dumps([vector.tolist() for vector in vectors]))
    print(json.dumps({"wall": wall, "processor": processor, "tokens": tokens}))


main()
