"""Sources are compared by their shape, and never run."""

import pytest

from pitboss.tournament.classroom.outline import outline, read_outline

BOT = """
class Anna(Base):
    '''My bot.'''
    def hit_or_stay(self, view):
        risk = view.odds.bust
        if view.points > 30 and risk > 0.2:
            return STAY
        for other in view.others:
            if other.total > 150:
                return HIT
        return HIT if risk < 0.4 else STAY
"""
COPY = BOT.replace("Anna", "Ben").replace("risk", "danger").replace("0.4", "0.35").replace("'''My bot.'''", "")
OTHER = """
class Cleo(Base):
    def hit_or_stay(self, view):
        return [STAY, HIT][sum(n * n for n in view.numbers) < 99]
"""


def test_names_numbers_and_comments_do_not_hide_a_copy():
    own = outline(BOT)
    assert own.likeness(outline(COPY)) == 1.0
    assert own.likeness(outline(BOT.replace("> 150", "> 150 and view.round > 1"))) > 0.5
    assert own.likeness(outline(OTHER)) < 0.3


def test_what_was_handed_out_does_not_count():
    given = outline(OTHER)
    both = outline(OTHER + BOT).without(given)
    assert both.size < outline(OTHER + BOT).size
    assert outline(OTHER).without(given).size == 0
    assert outline(OTHER).without(given).likeness(both) == 0.0


def test_classes_that_others_inherit_from_are_known():
    assert outline(OTHER + "class Helper(Cleo): pass\nclass Mine(Helper): pass").bases == {"Cleo", "Helper"}


@pytest.mark.parametrize(
    "source",
    [b"def f(:", b"\0", b"\xff\xfe", b"(" * 100_000, b"-" * 1_000_000 + b"1", b"x = " + b"[" * 500 + b"]" * 500],
)
def test_a_hostile_source_harms_nobody(source):
    assert read_outline(source) is None


def test_reading_in_another_process_says_the_same():
    read = read_outline(BOT.encode())
    assert read is not None
    assert dict(read.parts) == dict(outline(BOT).parts)
    assert read_outline(b"raise SystemExit(open('/tmp/ran', 'w'))") is not None  # parsed, not run
