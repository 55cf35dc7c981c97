"""`pitboss ask`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from pitboss.cli.common import console, print_json, waiting
from pitboss.cli.decisions import PLACE, Past, find_decision, past_of, worth_table
from pitboss.cli.options import DEFAULT_STORE, Json, StoreUrl
from pitboss.core.errors import BotError

if TYPE_CHECKING:
    from pitboss.core.bot import Entrant
    from pitboss.core.record import Record


def ask(
    bot: Annotated[str, Argument(metavar="BOT", help="A bot, such as ev or mine.py:MyBot.")],
    where: Annotated[str, Argument(metavar="RECORD@MOVE", help=PLACE)],
    times: Annotated[int, Option(help="How many times to ask, each time with different luck.", min=1)] = 1,
    store: StoreUrl = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Ask a bot what it would have done at one decision of a recorded game.

    The bot sits where the decision was made, and has seen all that came before. Its first answer uses the luck of that
    game. Beside the answer you see what each move was worth, by what the seat could know.

    Examples:
      pitboss ask ev game.json@12
      pitboss ask mine.py:MyBot games.jsonl#3@7 --times 100
      pitboss ask stay-25 latest/10@3
    """
    from pitboss.analysis import analysis_of
    from pitboss.core.registry import bot as find

    record, number = find_decision(where, store)
    game = record.game
    try:
        entrant = find(bot, game)
    except BotError as problem:
        raise BotError(f"the record is a game of {game}: {problem}") from problem
    past = past_of(record, number)
    position = past[-1][0]
    seat = position.to_act
    view = position.view(seat)
    with waiting(json):
        moves = _answers(entrant, record, past, times)
        said = analysis_of(game).opinion(view)
    first, shares = moves[0], {move: count / times for move, count in Counter(moves).most_common()}
    played = record.moves[number - 1]
    labels = record.labels
    if json:
        facts = {
            "game": str(game), "move": number, "step": len(past) - 1, "seat": seat, "question": view.question,
            "legal": [game.format_move(move) for move in view.legal],
            "played": {"by": record.seats[seat], "move": game.format_move(played)},
            "bot": entrant.name, "answer": game.format_move(first), "times": times,
            "answers": {game.format_move(move): share for move, share in shares.items()},
            "worth": said.to_dict() if said else None, "scene": game.scene(view, labels).to_dict(),
        }  # fmt: skip
        print_json(facts)
        return
    from rich.text import Text

    from pitboss.cli.draw import draw

    def say(move: int) -> str:
        return game.describe_move(view, move, labels) if move in view.legal else game.format_move(move)

    out = console()
    out.print(draw(game.scene(view, labels)))
    out.print(Text.assemble(f"Move {number}, {labels[seat]} at seat {seat}: ", (view.question, "bold")))
    out.print(f"legal: {', '.join(map(say, view.legal))}", markup=False)
    why = f" ({record.faults[number - 1]})" if number - 1 in record.faults else ""
    out.print(Text.assemble("played: ", (say(played), "bold"), why))
    out.print(Text.assemble(f"{entrant.name}: ", (say(first), "bold green" if first == played else "bold yellow")))
    if times > 1:
        spread = ", ".join(f"{say(move)} {share:.0%}" for move, share in shares.items())
        out.print(f"asked {times} times, each time with different luck: {spread}", markup=False)
    if said:
        notes: dict[int, list[str]] = {played: ["played"]}
        for move in shares:
            notes.setdefault(move, []).append(entrant.name)
        out.print()
        out.print(worth_table(said, say, notes))
        out.print(f"[dim]in {said.unit}, {said.how}[/]")


def _answers(entrant: Entrant, record: Record, past: Past, times: int) -> list[int]:
    """What the bot answers to the last question of the past."""
    from pitboss.core.bot import Bot, Entrant
    from pitboss.core.keys import Key
    from pitboss.core.play import Seats

    position = past[-1][0]
    seat = position.to_act
    line_up = [entrant if i == seat else Entrant("nobody", make=Bot) for i in range(position.seats)]
    seats = Seats(record.game, line_up)
    out = []
    for n in range(times):
        seats.start(record.key if n == 0 and record.key else Key.from_seed(n), record.deal, record.rotation)
        for earlier, events in past[:-1]:
            seats.saw(events)
            if earlier.to_act == seat:
                try:
                    seats.decide(earlier, seat)  # a bot may keep what it thought
                except BotError:
                    continue  # what it would have done there is not the question
        seats.saw(past[-1][1])
        out.append(seats.decide(position, seat))
    return out
