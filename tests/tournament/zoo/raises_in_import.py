"""Cannot even be imported."""

raise RuntimeError("not today")
