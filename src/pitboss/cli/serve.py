"""`pitboss serve`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from pitboss.cli.common import console, print_json
from pitboss.cli.options import DEFAULT_STORE, Allow, Clock, Json, StoreUrl
from pitboss.core.errors import PitbossError

if TYPE_CHECKING:
    from fastapi import FastAPI

SHORTEST_TOKEN = 8


def serve(
    host: Annotated[str, Option(help="The address to listen on; 0.0.0.0 lets the whole network in.")] = "127.0.0.1",
    port: Annotated[int, Option(help="The port to listen on; 0 takes any that is free.", min=0, max=65535)] = 7777,
    name: Annotated[
        list[str] | None, Option(help="Another name of this machine that links may use.", metavar="NAME")
    ] = None,
    store: StoreUrl = DEFAULT_STORE,
    open: Annotated[bool, Option("--open", help="Open the room in a browser.")] = False,
    allow_runs: Annotated[bool, Option("--allow-runs", help="Let visitors start tournaments from a page.")] = False,
    allow_uploads: Annotated[
        bool, Option("--allow-uploads", help="Let people who know the token submit bots.")
    ] = False,
    upload_token: Annotated[
        str | None,
        Option(
            help="The token for submitting bots; if left out, a new one is made and printed.",
            envvar="PITBOSS_UPLOAD_TOKEN",
        ),
    ] = None,
    uploads: Annotated[
        str | None, Option(metavar="DIR", help="The folder for submitted bots; by default beside the store.")
    ] = None,
    clock: Clock = None,
    allow: Allow = None,
    proxy: Annotated[
        str | None,
        Option(metavar="ADDRESS", help="A reverse proxy, such as 127.0.0.1, that tells the addresses of visitors."),
    ] = None,
    check: Annotated[bool, Option("--check", help="Start, compile all games, and stop again.")] = False,
    json: Json = False,
) -> None:
    """Open a card room in the browser: play, watch, replay, follow tournaments.

    Only this machine can reach it, unless --host says otherwise. Games are kept in the store. The room listens at once;
    on a fresh machine its games are compiled in the background, first the one that somebody wants to play.

    Examples:
      pitboss serve --open
      pitboss serve --host 0.0.0.0 --name games.local
      pitboss serve --allow-runs --allow-uploads
    """
    import asyncio
    import secrets

    from pitboss.sandbox.limits import Limits, split_names

    try:
        import uvicorn

        from pitboss.web.server import Config
        from pitboss.web.settings import EVERYWHERE, ServerSettings, own_address
        from pitboss.web.startup import Startup
    except ImportError as problem:
        raise _missing(problem) from problem

    def load() -> FastAPI:
        """The room itself, with all that it needs; this takes seconds."""
        try:
            from pitboss.web.app import create_app
        except ImportError as problem:
            raise _missing(problem) from problem
        app = create_app(settings)
        app.state.room.keeper.prepare()  # a store that cannot be used is told here, in a sentence
        return app

    def loaded(app: FastAPI) -> None:
        app.state.warming = asyncio.create_task(app.state.warmup.begin(lambda: warmed(app)))

    def warmed(app: FastAPI) -> None:
        if check:
            server.should_exit = True
        else:
            app.state.workers.prepare()  # while the first visitor still looks around

    def opened(real: int) -> None:
        address = f"http://{'localhost' if host in EVERYWHERE else host}:{real}/"
        if json:
            tokens = {"upload_token": token} if allow_uploads else {}
            tokens |= {"host_token": settings.host_token} if allow_runs else {}
            print_json({"url": address, "store": store, **tokens})
        else:
            console().print(f"The room is open: [bold]{address}[/]   [dim](Ctrl-C closes it)[/]")
            if host in EVERYWHERE:
                others = f"http://{settings.names[0] if settings.names else own_address()}:{real}/"
                console().print(f"For others in your network: [bold]{others}[/]")
            if allow_uploads:
                console().print(f"Submit bots at {address}submit with the token [bold]{token}[/]")
            if allow_runs:
                link = f"{address}tournaments#host={settings.host_token}"
                console().print(f"You, and nobody else, may stop every tournament: [bold]{link}[/]", soft_wrap=True)
        if open:
            typer.launch(address)

    class Server(uvicorn.Server):
        """Tells where it listens."""

        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if self.started:
                opened(self.servers[0].sockets[0].getsockname()[1])
                opening.begin()

        async def shutdown(self, sockets: Any = None) -> None:
            if opening.app:
                opening.app.state.followers.closing = True  # streams that never end by themselves
            await super().shutdown(sockets)

        def end(self) -> None:
            """Close the room, which cannot be loaded."""
            self.should_exit = self.force_exit = True

    token = _token(upload_token) if allow_uploads else ""
    limits = Limits(clock=clock or "processor", allow=split_names(allow or ()))
    limits.verify()
    settings = ServerSettings(
        store=store, host=host, port=port, names=tuple(name or ()), allow_runs=allow_runs, allow_uploads=allow_uploads,
        upload_token=token, uploads=uploads or "", host_token=secrets.token_urlsafe(18), proxy=proxy or "",
        limits=limits,
    )  # fmt: skip
    listener = _listen(host, port)
    opening = Startup(load, loaded, lambda: server.end())
    server = Server(Config(opening, settings))
    server.run(sockets=[listener])
    if opening.problem:
        raise opening.problem


def _missing(problem: ImportError) -> Exception:
    return PitbossError(f"the web pages need {problem.name}: pip install 'pitboss[web]'")


def _token(given: str | None) -> str:
    """The token for sending in bots: the one given, if it is worth anything, or a new one."""
    import secrets

    if given is not None and len(given) < SHORTEST_TOKEN:
        raise PitbossError(f"an --upload-token has {SHORTEST_TOKEN} characters or more: others may guess a shorter one")
    return given or secrets.token_urlsafe(18)


def _listen(host: str, port: int) -> Any:
    """A socket to listen on, or a sentence that says why there is none."""
    import socket

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
