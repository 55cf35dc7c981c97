"""What the tests of the page without a server share."""

from tests.browsers import PATIENCE

WITHOUT_MOTION = {"reduced_motion": "reduce", "locale": "en-GB"}


def state(page, *wanted):
    """Wait until the page is in one of these states, and say in which."""
    page.wait_for_selector(", ".join(f".page[data-state={each}]" for each in (*wanted, "failed")), timeout=PATIENCE)
    found = page.get_attribute(".page", "data-state")
    assert found in wanted, page.inner_text("main")
    return found
