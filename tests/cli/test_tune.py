"""`pitboss tune` and `pitboss class`, as people type them."""

import json
import xml.etree.ElementTree as ElementTree

TUNE = ("tune", "stay", "--vary", "n=10..20:10", "--against", "ev", "--games", 400, "--seed", 1)


def test_tune_says_which_value_is_best_and_draws_what_was_tried(good, folder):
    out = good(*TUNE, "--plot", "tried.svg")
    assert out.startswith("stay-20 is the best of the 2 that were tried")
    assert "stay-10" in out
    assert "dropped" in out
    drawn = ElementTree.fromstring((folder / "tried.svg").read_text())
    assert {"n = 10", "n = 20"} <= {(text.text or "")[2:] for text in drawn.iter() if text.tag.endswith("title")}
    data = json.loads(good(*TUNE, "--json"))
    assert data["best"]["values"] == {"n": 20.0}
    assert [one["left"] for one in data["tried"]] == [False, True]


def test_what_tune_cannot_try_is_a_sentence(pitboss, folder):
    code, _, err = pitboss("tune", "stay", "--vary", "n=high")
    assert code == 2
    assert "names no values to try; write it as limit=0.15..0.40" in err
    code, _, err = pitboss("tune", "ev", "--vary", "n=1..3")
    assert code == 2
    assert "the bot ev takes no number" in err


def test_a_class_is_made_once_and_needs_files(pitboss, folder):
    code, out, _ = pitboss("class", "init", "course", "--game", "show:fair", "--games", 100)
    assert code == 0
    assert "pitboss class run course" in out
    assert "pitboss check-bot my_bot.py --game 'show:fair'" in (folder / "course/handout/README.md").read_text()
    assert "exists already" in pitboss("class", "init", "course")[2]
    code, _, err = pitboss("class", "run", "course")
    assert code == 2
    assert "nobody has handed anything in: put files such as anna.py into course/submissions" in err
