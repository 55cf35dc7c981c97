"""`pitboss serve`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss.cli.common import DEFAULT_STORE, StoreUrl, console


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets the whole network in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.", min=0, max=65535)] = 7777,
    name: Annotated[list[str] | None, typer.Option(help="A name of this machine that links may use.")] = None,
    store: StoreUrl = DEFAULT_STORE,
    open: Annotated[bool, typer.Option("--open", help="Open a browser.")] = False,
    allow_runs: Annotated[bool, typer.Option("--allow-runs", help="Tournaments may be started from a page.")] = False,
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

    out = console()
    settings = Settings(store=store, host=host, port=port, names=tuple(name or ()), allow_runs=allow_runs)
    app = create_app(settings)
    warm()

    class Server(uvicorn.Server):
        async def startup(self, sockets: object = None) -> None:
            await super().startup(sockets)  # type: ignore[arg-type]
            if self.started:
                real = self.servers[0].sockets[0].getsockname()[1]
                address = f"http://{'localhost' if host in ('0.0.0.0', '::') else host}:{real}/"
                out.print(f"The room is open: [bold]{address}[/]   [dim](Ctrl-C closes it)[/]")
                if open:
                    typer.launch(address)

    config = uvicorn.Config(app, host=host, port=port, log_level="warning", access_log=False, ws_max_size=65536)
    Server(config).run()
