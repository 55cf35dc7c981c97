"""`python -m pitboss`."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder, where a bot may be called like a module that we import

from pitboss.cli.app import main

main()
