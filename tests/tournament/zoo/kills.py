"""Kills its parent, its group, everybody, and lifts its own limits first."""

import ctypes
import fcntl
import os
import resource
import signal

from pitboss.games.flip7 import Flip7Bot


def by_the_kernel():
    """Have the kernel send a signal: F_SETSIG and F_SETOWN on a pipe that becomes readable."""
    fcntl.fcntl(1, fcntl.F_SETOWN, os.getppid())


def raised_limit():
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10))
    except ValueError as problem:
        raise PermissionError(1, str(problem)) from problem


def traced():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(16, os.getppid(), 0, 0) < 0:
        raise PermissionError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


WAYS = {
    "parent": lambda: os.kill(os.getppid(), signal.SIGKILL),
    "group": lambda: os.killpg(0, signal.SIGKILL),
    "everybody": lambda: os.kill(-1, signal.SIGKILL),
    "handle": lambda: os.pidfd_open(os.getppid()),
    "owner": by_the_kernel,
    "limit": raised_limit,
    "trace": traced,
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19),
    "affinity": lambda: os.sched_setaffinity(os.getppid(), {0}),
}


def attempts():
    for name, way in WAYS.items():
        try:
            way()
            yield f"{name} worked"
        except OSError as problem:
            yield f"{name} refused: {problem.strerror}"


AT_IMPORT = list(attempts())


class Kills(Flip7Bot):
    def hit_or_stay(self, view):
        print("\n".join([*AT_IMPORT, *attempts()]))
        return "stay"
