"""The `pitboss` command: how it begins, and how it ends, whatever happens.

Nothing else is imported before `main` runs, so that Ctrl-C is understood from the first moment.
"""

from __future__ import annotations

import os
import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line; what the user did wrong is one sentence and exit code 2."""
    try:
        _prepare()
        from pitboss.cli.commands import run
        from pitboss.core.compile import NeedsCompiler, one_command

        one_command()
        try:
            code = run(sys.argv[1:] or ["--help"])
            if code == INTERRUPTED:
                _stop_compiler()
        except NeedsCompiler:  # more than was kept, or compiled meanwhile: begin again, with a compiler
            os.environ["PITBOSS_WITH_COMPILER"] = "1"
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    except KeyboardInterrupt:
        _stop_compiler()
        print("pitboss: interrupted; nothing was saved", file=sys.stderr)
        code = INTERRUPTED
    sys.exit(code)


def _stop_compiler() -> None:
    """Ctrl-C ends what was compiled meanwhile, too."""
    if "pitboss.cli.early" in sys.modules:
        sys.modules["pitboss.cli.early"].stop()


def _prepare() -> None:
    """Make the best of the terminal: a width that cannot be, or an alphabet without our signs."""
    columns = os.environ.get("COLUMNS", "1")
    if not (columns.isdecimal() and int(columns)):
        del os.environ["COLUMNS"]
    for stream in (sys.stdout, sys.stderr):
        if not (stream.encoding or "utf-8").lower().startswith("utf") and hasattr(stream, "reconfigure"):
            from pitboss.cli.non_utf8 import SPELLED

            stream.reconfigure(errors=SPELLED)
