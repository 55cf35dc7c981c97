"""Try to talk to somebody."""

import socket

from pitboss.games.flip7 import Flip7Bot

WAYS = {
    "tcp": lambda: socket.create_connection(("127.0.0.1", 22), timeout=0.1),
    "udp": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "unix": lambda: socket.socket(socket.AF_UNIX),
    "pair": socket.socketpair,
    "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
}


class ReachesOut(Flip7Bot):
    def hit_or_stay(self, view):
        for name, way in WAYS.items():
            try:
                way()
                print(name, "worked")
            except OSError as problem:
                print(name, "refused:", problem.strerror)
        return "stay"
