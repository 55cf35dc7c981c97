"""What words.js says, beside what Python says: lines of (call, expected), for tests of anything that makes records."""

import base64
import json
import subprocess
from pathlib import Path

import pitboss.render
from pitboss.core.exported import describe_table

SCRIPTS = Path(pitboss.render.__file__).parent
SAY = Path(__file__).with_name("say.mjs")


def coded(raw):
    """The bytes of a record, for a line of JSON."""
    return base64.b64encode(raw).decode()


def layout(dtype):
    """A record as layout.js reads it: where each field begins, its kind of number, its shape."""
    kinds = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "f8": "d"}
    fields = {name: (dtype[name], dtype.fields[name][1]) for name in dtype.names}
    described = {name: [at, kinds[kind.base.str[1:]], kind.shape] for name, (kind, at) in fields.items()}
    return {"size": dtype.itemsize, "fields": described}


def opened(game):
    """The call that all others follow: the words of a game, and the layout of its views."""
    table = describe_table(game)
    call = {"call": "open", "words": game.describe_words(), "layout": layout(game.view_dtype), "table": table}
    return call, None


def plain(value):
    """As JSON brings it back."""
    return json.loads(json.dumps(value))


def differences(lines, language="en"):
    """Calls of words.js whose answers are not those expected: (call, expected, said)."""
    lines = list(lines)
    sent = "".join(json.dumps(call) + "\n" for call, _ in lines)
    done = subprocess.run(
        ["node", str(SAY), str(SCRIPTS), language], input=sent, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(said) == len(lines)
    found = zip(lines, said, strict=True)
    return [(call, expected, got) for (call, expected), got in found if plain(expected) != got]
