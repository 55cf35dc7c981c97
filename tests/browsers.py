"""A browser for tests of pages."""

import os
import shutil

import pytest

# Answers that a test has read on their way count as foreign. The others are pages below the address bar and a spare
# process, which nobody sees and which are made anew for every context: half of the time that a page takes.
WITHOUT = [
    "LocalNetworkAccessChecks", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
    "SpareRendererForSitePerProcess",
]  # fmt: skip
PATIENCE = 240_000  # milliseconds in which a busy machine does what a quiet one does in one
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    f"--disable-features={','.join(WITHOUT)}",
]  # fmt: skip


@pytest.fixture(scope="session")
def browser():
    """Chromium, one for each process of the tests."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.skip("needs the package playwright: pip install playwright")
    found = [os.environ.get("PITBOSS_CHROMIUM"), *map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))]
    program = next(filter(None, found), None)
    if program is None:
        pytest.skip("needs the package chromium: apt-get install chromium, or set PITBOSS_CHROMIUM to the program")
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield started
        started.close()
