"""Games of the room in a store that was damaged: a sentence, not a traceback."""

import pytest
import sqlalchemy as sql

from pitboss.core.errors import PitbossError
from pitboss.core.keys import Key
from pitboss.web.room.store import TableStore, tables
from pitboss.web.room.table import Place, RoomTable, SeatKind, TablePlan


@pytest.fixture
def keeper(tmp_path):
    keeper = TableStore(str(tmp_path / "room.db"))
    keeper.prepare()
    keeper.save(RoomTable("t", TablePlan("flip7:official", (Place(SeatKind.BOT, "ev"),) * 3, Key.from_seed(1))))
    yield keeper
    keeper.close()


def damage(keeper, column, text):
    with keeper.engine.begin() as connection:
        connection.execute(sql.text(f"UPDATE {tables.name} SET over = 1, {column} = :text"), {"text": text})


@pytest.mark.parametrize("text", ['{"format":', "[7]", '{"game": 3}'])
def test_a_record_that_cannot_be_read(keeper, text):
    damage(keeper, "record", text)
    with pytest.raises(PitbossError):
        keeper.record("t")


def test_a_setup_that_cannot_be_read(keeper):
    damage(keeper, "setup", '{"spec"')
    with pytest.raises(PitbossError, match="is damaged: what is in it cannot be read"):
        keeper.recent(5)


@pytest.mark.parametrize(("column", "text"), [("held", "{}"), ("held", "[]"), ("moves", "7"), ("setup", "{}")])
def test_a_game_in_progress_that_cannot_be_read(keeper, column, text):
    damage(keeper, column, text)
    with pytest.raises(PitbossError, match="is damaged: what is in it cannot be read"):
        keeper.load(keeper.find("t"), 100)


def test_a_game_of_bots_that_is_over_comes_back_with_its_last_card(keeper):
    """Nobody deals on at a table of bots that is paused, as all are that come back."""
    plan = TablePlan(
        "flip7:numbers(target=30)", (Place(SeatKind.BOT, "always-hit"), Place(SeatKind.BOT, "stay-20")), Key.parse("1")
    )
    table = RoomTable("over", plan)
    while not table.over:
        table.go()
    keeper.save(table)
    again = keeper.load(keeper.find("over"), 10_000)
    assert again.over
    assert len(again.moments) == len(table.moments)
