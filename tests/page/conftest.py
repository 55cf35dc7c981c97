"""What the tests of the page share."""

import pytest

from tests.page import node


@pytest.fixture(scope="session")
def engine(tmp_path_factory):
    """The engine in node; modules are built once, and kept in the cache of compiled code."""
    why_not = node.missing()
    if why_not:
        pytest.skip(why_not)
    return node.Engine(tmp_path_factory.mktemp("page"))
