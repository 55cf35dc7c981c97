"""A picture that a game draws as SVG, as a file that people keep."""

from __future__ import annotations

from collections.abc import Callable

from pitboss.core.errors import PitbossError

DOTS_PER_INCH = 254.0  # of a PNG: ten to the millimetre


def painter(suffix: str) -> Callable[[str], bytes]:
    """What makes a file of this kind of the picture; refuses at once if it cannot be made here.

    >>> painter(".svg")("<svg/>")
    b'<svg/>'
    """
    if suffix.lower() == ".svg":
        return str.encode
    if suffix.lower() != ".png":
        raise PitbossError(f"a chart is a picture: give a file that ends in .svg or .png, not {suffix or 'in nothing'}")
    try:
        from resvg_py import svg_to_bytes
    except ImportError as problem:
        raise PitbossError("a chart in PNG needs resvg-py: pip install 'pitboss[png]'; SVG needs nothing") from problem
    return lambda picture: bytes(svg_to_bytes(svg_string=picture, dpi=DOTS_PER_INCH))
