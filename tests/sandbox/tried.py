"""Pieces of Python, each run in a process of its own, which can then be confined for good."""

import os
import subprocess
import sys

BEGIN = """
import ctypes, json, os, select, socket, sys
from pitboss.sandbox import calls, confine, landlock, listener, namespaces, readable
calls.libc().prctl(38, 1, 0, 0, 0)
def call(name, *arguments):
    return calls.libc().syscall(calls.number_of(name), *arguments)
def refused(number, *arguments):
    "The name of the error with which a call is refused."
    import errno
    return errno.errorcode[ctypes.get_errno()] if calls.libc().syscall(number, *arguments) < 0 else "worked"
"""


def tried(setup, attempt):
    """Run two pieces of Python; what the second one printed or raised."""
    code = (
        f"{BEGIN}\n{setup}\n"
        "try:\n"
        f"    print({attempt}, flush=True)\n"
        "except Exception as problem:\n"
        "    print(type(problem).__name__)\n"
    )
    env = {"PYTHONPATH": os.pathsep.join(sys.path), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.strip()
