"""An exported agent decides as the agent does, in onnxruntime and as a bot."""

import numpy as np
import pytest

from pitboss import PitbossError, bot, load, simulate
from pitboss.core.errors import BotError
from pitboss.learn import agent as agents
from pitboss.run.tables import LEARNER, Tables

pytest.importorskip("onnx", reason="onnx is not installed: pip install pitboss[onnx]")
runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install pitboss[onnx]")

from pitboss.learn.onnx_file import export  # noqa: E402


@pytest.mark.parametrize(("name", "seats"), [("official", 3), ("show", 2)])
def test_an_exported_agent_is_the_agent(name, seats, tmp_path):
    """Scores by choices, and by numbers; the same wins, as an opponent in batches and at one seat."""
    known, file = agents.load(name), tmp_path / f"{name}.onnx"
    export(known, file)
    game = load(known.game)
    text = f"onnx:{file}"
    ours, theirs = ([LEARNER, *[it] * (seats - 1)] for it in (f"agent:{name}", text))
    pair = [Tables(game, lineup, 6, encoding=known.encoding, threads=1) for lineup in (ours, theirs)]
    for tables in pair:
        tables.reset(seed=4)
    for _ in range(60):
        np.testing.assert_array_equal(pair[0].observations, pair[1].observations)
        np.testing.assert_array_equal(pair[0].rewards, pair[1].rewards)
        for tables in pair:
            tables.step(tables.masks.argmax(axis=1))
    shares = [
        simulate(game, [it, *["random"] * (seats - 1)], 30, 1).win_share(0).mean for it in (text, f"agent:{name}")
    ]
    assert shares[0] == shares[1]


def test_a_table_of_values_and_files_that_do_not_play(tmp_path):
    game = load("flip7:numbers")
    values = np.random.default_rng(1).random(int(game.learning.encodings["cells"].bounds(game.rules, 2)[1].max()) + 1)
    known = agents.Agent(agents.TABLE, str(game), "cells", {"values": values.astype(np.float32)}, {})
    export(known, tmp_path / "cells.onnx")
    session = runtime.InferenceSession(str(tmp_path / "cells.onnx"))
    seen = np.array([[3, 8], [0, 1]], game.learning.encodings["cells"].dtype)
    (scores,) = session.run(None, {"observation": seen})
    np.testing.assert_array_equal(scores, known.arrays["values"][seen])
    with pytest.raises(BotError, match="has learned flip7:numbers, and cannot play flip7:solo"):
        bot(f"onnx:{tmp_path / 'cells.onnx'}", "flip7:solo")
    (tmp_path / "no.onnx").write_bytes(b"no")
    with pytest.raises(BotError, match="not a network that onnxruntime can read"):
        bot(f"onnx:{tmp_path / 'no.onnx'}", game)
    with pytest.raises(PitbossError, match="there is no file"):
        bot("onnx:nowhere.onnx", game)


def test_a_network_with_too_few_scores_is_named(tmp_path):
    import onnx
    from onnx import helper

    kinds = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["rows", None]) for name in ("seen", "sums")]
    node = helper.make_node("ReduceSum", ["seen", "axes"], ["sums"], keepdims=1)
    axes = helper.make_tensor("axes", onnx.TensorProto.INT64, [1], [1])
    model = helper.make_model(helper.make_graph([node], "narrow", kinds[:1], kinds[1:], [axes]), ir_version=8)
    model.opset_import[0].version = 17
    helper.set_model_props(model, {"encoding": "table"})
    onnx.save(model, tmp_path / "narrow.onnx")
    with pytest.raises(BotError, match="must give a score for each of 2 actions"):
        simulate("flip7:numbers", [f"onnx:{tmp_path / 'narrow.onnx'}", "random"], 1, 1)
