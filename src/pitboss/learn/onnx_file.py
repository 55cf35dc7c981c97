"""Agents as ONNX files, and networks from ONNX files as bots: `onnx:mine.onnx`.

An exported agent takes `observation` [rows, numbers] and gives `scores` [rows, actions]: the action with the highest
score that is legal is what the agent does. Any network with one input and one output of these forms can play; which
observation it wants is noted in the file as `encoding`, or is the only one of its size.

Writing needs the package onnx, playing onnxruntime: pip install 'pitboss[onnx]'
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from pitboss.core.bot import Entrant
from pitboss.core.errors import BotError, PitbossError
from pitboss.core.files import write_whole
from pitboss.core.game import Game
from pitboss.core.policy import policy
from pitboss.core.registry import load as load_game
from pitboss.core.types import Array
from pitboss.learn.agent import ADVISED, TABLE, Agent, Sight

OPSET, IR_VERSION = 17, 8  # read by every release of onnxruntime since 2022
NEEDED = "this needs more packages: pip install 'pitboss[onnx]'"


def export(agent: Agent, path: Path) -> None:
    """Write an agent as an ONNX file."""
    try:
        import onnx
        from onnx import helper, numpy_helper
    except ImportError as problem:
        raise PitbossError(NEEDED) from problem
    game = load_game(agent.game)
    if agent.kind == ADVISED:
        raise PitbossError("an agent that asks another bot for advice cannot become an ONNX file")
    nodes, numbers = _table(agent) if agent.kind == TABLE else _network(agent, Sight.of(game))
    dtype = helper.np_dtype_to_tensor_dtype(np.dtype(game.learning.encodings[agent.encoding].dtype))
    graph = helper.make_graph(
        [helper.make_node(kind, inputs, [output], **settings) for kind, inputs, output, settings in nodes],
        "agent",
        [helper.make_tensor_value_info("observation", dtype, ["rows", "numbers"])],
        [helper.make_tensor_value_info("scores", onnx.TensorProto.FLOAT, ["rows", "actions"])],
        [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in numbers.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    for name, value in (("game", agent.game), ("encoding", agent.encoding)):
        entry = model.metadata_props.add()
        entry.key, entry.value = name, value
    onnx.checker.check_model(model, full_check=True)
    write_whole(path, model.SerializeToString())


Node = tuple[str, list[str], str, dict[str, Any]]  # the kind, its inputs, its output, settings


def _table(agent: Agent) -> tuple[list[Node], dict[str, Array]]:
    """A table of values: the value of each action's cell."""
    return [("Gather", ["values", "observation"], "scores", {})], {"values": agent.arrays["values"]}


def _network(agent: Agent, sight: Sight) -> tuple[list[Node], dict[str, Array]]:
    """A network: the state's part of the first layer is added to that of each action."""
    arrays, size = agent.arrays, np.array
    numbers = {name: arrays[name] for name in ("state", "choice", "bias", "inner", "inner_bias")}
    numbers |= {"out": arrays["out"][:, None], "zero": size([0]), "one": size([1]), "two": size([2])}
    numbers |= {"begin": size([sight.state]), "end": size([np.iinfo(np.int64).max])}
    numbers |= {"each": size([0, -1, sight.choice]), "row": size([0, -1])}
    nodes: list[Node] = [("Cast", ["observation"], "seen", {"to": 1})]
    if sight.numbered:
        nodes += [("Identity", ["seen"], "of_state", {}), ("Identity", ["choice"], "by_choice", {})]
    else:
        nodes += [
            ("Slice", ["seen", "zero", "begin", "one"], "of_state", {}),
            ("Slice", ["seen", "begin", "end", "one"], "of_choices", {}),
            ("Reshape", ["of_choices", "each"], "choices", {}),
            ("MatMul", ["choices", "choice"], "by_choice", {}),
        ]
    nodes += [
        ("MatMul", ["of_state", "state"], "by_state", {}),
        ("Add", ["by_state", "bias"], "base", {}),
        ("Unsqueeze", ["base", "one"], "bases", {}),
        ("Add", ["bases", "by_choice"], "sums", {}),
        ("Relu", ["sums"], "first", {}),
        ("MatMul", ["first", "inner"], "second_sums", {}),
        ("Add", ["second_sums", "inner_bias"], "second_biased", {}),
        ("Relu", ["second_biased"], "second", {}),
        ("MatMul", ["second", "out"], "each_score", {}),
        ("Squeeze", ["each_score", "two"], "scores", {}),
    ]
    used = {name for _, inputs, _, _ in nodes for name in inputs}
    return nodes, {name: array for name, array in numbers.items() if name in used}


def enter(place: str, game: Game) -> Entrant:
    """The bot `onnx:PLACE` for a table."""
    path = Path(place)
    if not path.is_file():
        raise BotError(f"there is no file {place}; onnx:FILE plays a network in the ONNX format")
    try:
        import onnxruntime
    except ImportError as problem:
        raise BotError(NEEDED) from problem
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # networks are small: threads would wait
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as problem:  # it has errors of its own
        raise BotError(f"{place} is not a network that onnxruntime can read: {problem}") from problem
    notes = session.get_modelmeta().custom_metadata_map
    if notes.get("game") not in (None, str(game)):
        raise BotError(f"{place} has learned {notes['game']}, and cannot play {game}")
    seen, given = session.get_inputs(), session.get_outputs()
    if len(seen) != 1 or len(given) != 1:
        raise BotError(f"{place} must have one input, the observation, and one output, a score for each action")
    encoding = notes.get("encoding") or _encoding_of_size(game, seen[0].shape[-1], place)
    kind = game.learning.encodings[encoding].dtype if encoding in game.learning.encodings else np.float32
    wanted = np.float32 if "float" in seen[0].type else kind

    def decide(observations: Array, masks: Array) -> Array:
        (scores,) = session.run(None, {seen[0].name: observations.astype(wanted, copy=False)})
        if scores.ndim != 2 or scores.shape[1] < masks.shape[1]:
            raise BotError(f"{place} must give a score for each of {masks.shape[1]} actions, not {scores.shape}")
        best: Array = np.where(masks != 0, scores[:, : masks.shape[1]], -np.inf).argmax(axis=1)
        return best

    return policy(decide, game, f"onnx:{place}", encoding, hashlib.sha256(path.read_bytes()).hexdigest()[:16])


def _encoding_of_size(game: Game, size: Any, place: str) -> str:
    sizes = {
        name: {encoding.size(game.rules, seats) for seats in game.rules.seats}
        for name, encoding in game.learning.encodings.items()
    }
    found = [name for name, possible in sizes.items() if size in possible]
    if len(found) != 1:
        raise BotError(
            f"which observation {place} wants is not clear: note it in the file's metadata as `encoding`, "
            f"one of {', '.join(sizes)}"
        )
    return found[0]
