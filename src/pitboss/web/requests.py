"""What all requests to the room have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Asked(BaseModel):
    """A request; what it does not know is refused."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)
