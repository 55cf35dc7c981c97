"""Names for what has no type of its own, each said once.

Compiled functions take NumPy records whose fields are a game's own, so a type checker knows no more of them than their
names tell. Nothing here imports NumPy: the process of a bot has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Data: TypeAlias = dict[str, Any]  # plain values by name, as in JSON

Array: TypeAlias = "np.ndarray[Any, Any]"
Floats: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
Ints: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Dtype: TypeAlias = "np.dtype[Any]"

StateRecord: TypeAlias = Any  # one game: a record of its `state_dtype`
RulesRecord: TypeAlias = Any  # its switches: a record of its `rules_class.dtype()`
ViewRecord: TypeAlias = Any  # what one seat may know: a record of its `view_dtype`
EventBuffer: TypeAlias = Any  # where `apply` writes down what happens, or None
GameView: TypeAlias = Any  # the same as an object: of its `view_class`, which a type checker cannot know
GameEvent: TypeAlias = Any  # something that happened: an object of its `event_class`
Word: TypeAlias = Any  # 64 bits without a sign: a NumPy number when interpreted, a plain one when compiled

Numba: TypeAlias = Any  # an object of Numba's own, whose types change from release to release
