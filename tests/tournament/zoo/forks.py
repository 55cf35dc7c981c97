"""Start other processes, whichever way: when asked, and while being imported."""

import os
import subprocess
import threading

from pitboss.games.flip7 import Flip7Bot

WAYS = {
    "fork": os.fork,
    "spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "run": lambda: subprocess.run(["/bin/true"]),
    "exec": lambda: os.execv("/bin/true", ["true"]),
    "session": os.setsid,
}


def attempts():
    for name, way in WAYS.items():
        try:
            if way() == 0 and name == "fork":
                os._exit(0)
            yield f"{name} worked"
        except OSError as problem:
            yield f"{name} refused: {problem.strerror}"


AT_IMPORT = list(attempts())


class Forks(Flip7Bot):
    def hit_or_stay(self, view):
        print("\n".join([*AT_IMPORT, *attempts()]))
        return "stay"


class Threads(Flip7Bot):
    def hit_or_stay(self, view):
        thread = threading.Thread(target=print, args=("threads work",))
        thread.start()
        thread.join()
        return "stay"


class Fork(Flip7Bot):
    def decide(self, view):
        os.fork()
        return "stay"
