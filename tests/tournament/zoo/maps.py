"""A program that maps a terabyte to read: no data, and no limit of data; but the kernel's tables of it are large."""

import json
import mmap
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        try:
            mmap.mmap(-1, 1 << 40, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
            print("worked", file=sys.stderr)
        except OSError:
            print("refused", file=sys.stderr)
    if message["type"] in ("hello", "decide"):
        print(json.dumps({"id": message["id"], "move": message.get("legal", [None])[0]}), flush=True)
