"""`pitboss serve`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pitboss.cli.common import DEFAULT_STORE, Json, StoreUrl, console, print_json

EVERYWHERE = ("0.0.0.0", "::")


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets the whole network in.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="The port to listen on; 0 takes any that is free.", min=0, max=65535)
    ] = 7777,
    name: Annotated[
        list[str] | None, typer.Option(help="Another name of this machine, for links.", metavar="NAME")
    ] = None,
    store: StoreUrl = DEFAULT_STORE,
    open: Annotated[bool, typer.Option("--open", help="Open a browser.")] = False,
    allow_runs: Annotated[bool, typer.Option("--allow-runs", help="Tournaments may be started from a page.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Make all ready and open, then close at once.")] = False,
    json: Json = False,
) -> None:
    """Open a card room in the browser: play, watch, replay.

    Only this machine can reach it, unless --host says otherwise. Games are kept in the store.

    Examples:

    [bold]pitboss serve --open[/]

    [bold]pitboss serve --host 0.0.0.0 --name games.local[/]
    """
    from pitboss.table.errors import PitbossError

    try:
        import uvicorn

        from pitboss.web.app import create_app
    except ImportError as problem:
        raise PitbossError(f"the web pages need {problem.name}: pip install 'pitboss[web]'") from problem
    from pitboss.web.settings import Settings
    from pitboss.web.warm import warm

    def opened(real: int) -> None:
        address = f"http://{'localhost' if host in EVERYWHERE else host}:{real}/"
        if json:
            print_json({"url": address, "store": store})
        else:
            console().print(f"The room is open: [bold]{address}[/]   [dim](Ctrl-C closes it)[/]")
        if open:
            typer.launch(address)

    class Server(uvicorn.Server):
        """Tells where it listens."""

        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if self.started:
                opened(self.servers[0].sockets[0].getsockname()[1])
                self.should_exit = check

    settings = Settings(store=store, host=host, port=port, names=tuple(name or ()), allow_runs=allow_runs)
    listener = _listen(host, port)
    app = create_app(settings)
    app.state.room.keeper.prepare()  # a store that cannot be used is told here, in a sentence
    warm()
    # Messages are short, and packing them for each of many watchers would cost more than sending them.
    config = uvicorn.Config(app, log_level="warning", access_log=False, ws_max_size=65536, ws_per_message_deflate=False)
    Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> Any:
    """A socket to listen on, or a sentence that says why there is none."""
    import socket

    from pitboss.table.errors import PitbossError

    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as problem:
        raise PitbossError(
            f"cannot listen on {host}, port {port}: {problem.strerror}; --port 0 takes any port that is free"
        ) from problem
    return listener
