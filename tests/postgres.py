"""A PostgreSQL server for the tests: the system's programs, a folder of its own, loopback only, an ordinary user."""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "shared_buffers": "32MB",
    "max_connections": "30",
    "unix_socket_directories": "",
}


def programs():
    """The folder of initdb and postgres, or None: Debian keeps them out of the search path."""
    found = [Path(p) for p in (shutil.which("initdb"),) if p]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    return found[0].resolve().parent if found else None


def missing():
    """Why there can be no server, or nothing."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "PostgreSQL needs psycopg: make test-all installs it"
    return "" if programs() else "PostgreSQL needs the system's package postgresql"


class Server:
    """Runs until it is stopped, or killed to see what happens; `start` takes up the same data again."""

    def __init__(self):
        self.bin = programs()
        self.user = "postgres" if os.getuid() == 0 else None  # it refuses to be run by root
        self.folder = Path(tempfile.mkdtemp(prefix="pitboss-postgres-"))
        if self.user:
            owner = pwd.getpwnam(self.user)
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        command = ["initdb", "--pgdata=data", "--username=pitboss", "--auth=trust", "--no-sync", "--encoding=UTF8"]
        self._call(*command, "--locale=C").check_returncode()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._numbers = count()
        self.start()

    def _options(self):
        who = {"user": self.user, "group": self.user, "extra_groups": []} if self.user else {}
        return {"cwd": self.folder, "env": {"PATH": os.environ["PATH"], "LC_ALL": "C"}, **who}

    def _call(self, program, *arguments):
        return subprocess.run(
            [self.bin / program, *arguments], **self._options(), capture_output=True, text=True, check=False
        )

    def start(self):
        """Begin, and wait until it answers."""
        settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(
            [self.bin / "postgres", "-D", "data", "-p", str(self.port), *settings],
            **self._options(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
        log.close()
        while self._call("pg_isready", "-h", "127.0.0.1", "-p", str(self.port), "-d", "postgres").returncode:
            assert self.process.poll() is None, (self.folder / "log").read_text()[-2000:]
            time.sleep(0.05)

    def kill(self):
        """As a power cut would."""
        main = self.process.pid
        children = [int(pid) for pid in Path(f"/proc/{main}/task/{main}/children").read_text().split()]
        for pid in [main, *children]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def close(self):
        """End it, and all that it has kept."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)  # at once, whoever is still connected
            self.process.wait(60)
        shutil.rmtree(self.folder)

    def url(self, database="postgres"):
        return f"postgresql+psycopg://pitboss@127.0.0.1:{self.port}/{database}"

    def new(self):
        """The URL of a new, empty database."""
        import psycopg

        name = f"store{next(self._numbers)}"
        with psycopg.connect(host="127.0.0.1", port=self.port, user="pitboss", dbname="postgres", autocommit=True) as c:
            c.execute(f"CREATE DATABASE {name}")
        return self.url(name)
