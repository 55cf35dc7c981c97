"""Commands that know answers: solve, advise, --regret, chart."""

import json
import re

import pytest


def test_solve_one_player_of_flip7(good, pitboss):
    facts = json.loads(good("solve", "flip7:solo", "--seats", "1", "--json"))
    assert facts["value"] == pytest.approx(20.2291054, abs=5e-8)
    assert 0.3 < facts["bust"] < 0.35
    assert 0.002 < facts["flip7"] < 0.003
    assert sum(facts["scores"].values()) == pytest.approx(1)
    assert "18.5652176 on average (exact)" in good("solve", "flip7:numbers", "--seats", "1")
    race = json.loads(good("solve", "flip7:solo(target=30)", "--objective", "rounds", "--json"))
    assert race["value"] == race["rounds"][0] > race["rounds"][29] == 1
    assert "Rounds to 30 points" in good("solve", "flip7:solo(target=30)", "--objective", "rounds")
    for arguments, sentence in (
        (("flip7:numbers",), "--seats 2, who play for the win"),
        (("flip7:solo", "--objective", "wins"), "unknown objective 'wins'"),
        (("flip7:numbers", "--seats", "1", "--against", "ev"), "it needs --seats 2"),
        (("show:fair", "--objective", "rounds"), "has one objective, to win"),
        (("show:fair", "--seats", "3"), "exactly 2 seats"),
    ):
        code, _, err = pitboss("solve", *arguments)
        assert code == 2
        assert sentence in err


def test_solve_two_players_of_flip7(good):
    facts = json.loads(good("solve", "flip7:numbers(target=20)", "--seats", "2", "--json"))
    assert facts["value"] == 0.5
    assert facts["wins"][10][0] > 0.6
    assert facts["gap"] < 0.002
    assert "In equilibrium" in good("solve", "flip7:numbers(target=20)", "--seats", "2")
    against = good("solve", "flip7:numbers(target=20)", "--seats", "2", "--against", "stay-10")
    assert "The best answer to stay-10 wins" in against


def test_advise(good, pitboss):
    facts = json.loads(
        good("advise", "flip7:solo", "--hand", "5 9 12 +4", "--seen", "12 12 11 7", "--totals", "170", "--json")
    )
    assert facts["points"] == facts["stay"] == 30
    assert facts["risk"] == 21 / 77
    assert facts["hit"] < 30
    assert facts["rounds"]["stay"] == 1 < facts["rounds"]["hit"]
    out = good("advise", "flip7:numbers", "--hand", "3 8", "--discards", "12 11")
    assert "9 of 75 cards" in out
    assert "hit is best for the most points" in out
    assert "busts you with probability 0.0%" in good("advise", "--hand", "3 8", "--second-chance")
    for arguments, sentence in (
        (("--hand", "2 5", "--seen", "2", "--discards", "2"), "you named 3 of the card 2, but flip7:official has 2"),
        (("flip7:solo", "--hand", "sc"), "you named 1 of the card sc, but flip7:solo has none"),
        (("--hand", "5 9 5"), "your hand has two 5s: that is a bust"),
        (("--hand", "1 2 3 4 5 6 7"), "the round is over"),
        (("--names", "ann,me"), "--names and --dealer go with --live"),
        (("--live",), "say who plays: --names ann,bob,me, or --totals"),
        (("--live", "--names", "ann,me", "--hand", "5"), "--live begins with a round"),
        (("--hand", "14"), "'14' is not a card"),
        (("--totals", "120,200"), "a total is from 0 to 199"),
        (("--totals", "many"), "whole numbers with commas"),
        (("--totals", "120,168", "--me", "2"), "--me is your place among the totals"),
        (("show:fair",), "show cannot be described in cards"),
    ):
        code, _, err = pitboss("advise", *arguments)
        assert code == 2
        assert sentence in err


def test_bots_alone_beside_the_optimum(good, pitboss, tmp_path):
    arguments = ("flip7:solo(target=60)", "--bots", "stay-15,race,stay-40", "--games", "500", "--seed", "1")
    facts = json.loads(good("simulate", *arguments, "--json"))
    assert facts["optimum"]["rounds_per_game"] == pytest.approx(3.2854, abs=1e-4)
    assert "fresh deck" in facts["optimum"]["meaning"]
    assert [bot["name"] for bot in facts["bots"]] == ["stay-15", "race", "stay-40"]
    for bot in facts["bots"]:
        rounds, points = bot["percent_of_optimum"]["rounds"], bot["percent_of_optimum"]["points"]
        best = facts["optimum"]
        assert rounds["mean"] == pytest.approx(100 * best["rounds_per_game"] / bot["rounds_per_game"]["mean"])
        assert points["mean"] == pytest.approx(100 * bot["mean_round_score"]["mean"] / best["mean_round_score"])
        assert points["ci95"][0] < points["mean"] < points["ci95"][1]
    alone = json.loads(good("simulate", *arguments[:2], "race", *arguments[3:], "--json"))
    assert alone["bots"] == [facts["bots"][1]]  # the same deals, whoever else is asked
    out = good("simulate", *arguments)
    assert re.search(r"race .*\n *stay-15 .*\n *stay-40 ", out)  # the quickest first
    assert "rounds (best: 3.285)" in out
    assert "counting cards can pass it" in out
    regret = json.loads(good("simulate", *arguments[:2], "stay-15,oracle", "--games", "20", "--regret", "--json"))
    assert [bot["name"] for bot in regret["regret"]["bots"]] == ["stay-15", "oracle"]
    assert regret["regret"]["bots"][1]["lost_per_round"]["mean"] == 0
    code, _, err = pitboss("simulate", *arguments, "--record", "1", tmp_path / "games.jsonl")
    assert code == 2
    assert "--record goes with one bot" in err


def test_regret(good):
    arguments = ("--bots", "stay-15", "--games", "30", "--seed", "1", "--regret")
    facts = json.loads(good("simulate", "flip7:solo", *arguments, "--json"))
    (bot,) = facts["regret"]["bots"]
    lost, made = bot["lost_per_round"]["mean"], facts["bots"][0]["mean_round_score"]["mean"]
    assert bot["percent_of_optimal"]["mean"] == pytest.approx(100 * made / (made + lost))
    worst = facts["regret"]["mistakes"][0]
    assert worst["lost"] == worst["worth_of_better"] - worst["worth"] > 0
    out = good("simulate", "flip7:solo", *arguments)
    assert "Points lost by hits and stays (exact, counting every card)" in out
    assert f"{100 * made / (made + lost):.2f} %" in out
    assert worst["hand"] in out
    facts = json.loads(
        good("simulate", "flip7:numbers", "--bots", "oracle,stay-15*2", "--games", "6", "--regret", "--json")
    )
    assert [bot["name"] for bot in facts["regret"]["bots"]] == ["oracle", "stay-15", "stay-15#2"]
    assert facts["regret"]["bots"][0] == {
        "name": "oracle", "lost_per_round": {"mean": 0, "ci95": [0, 0]}, "percent_of_optimal": None
    }  # fmt: skip
    out = good("simulate", "flip7:numbers", "--bots", "oracle*2", "--games", "2", "--regret")
    assert "exact for a player alone" in " ".join(out.split())
    few = ("--games", "6", "--seed", "1", "--regret", "--json")
    show = json.loads(good("simulate", "show:fair", "--bots", "show-6,random", *few))
    careful, random = (bot["lost_per_game"]["mean"] for bot in show["regret"]["bots"])
    assert 0 < careful < random


def test_chart(good, pitboss, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "chart.svg" in good("chart", "flip7:numbers(target=20)")
    assert "Hit or stay?" in (tmp_path / "chart.svg").read_text(encoding="utf-8")
    (tmp_path / "chart.svg").unlink()
    facts = json.loads(good("chart", "flip7:numbers(target=20)", "--json"))
    assert [row["total"] for row in facts["by_total"]] == [0, 5, 10, 15]
    assert list(tmp_path.iterdir()) == []
    good("chart", "flip7:numbers(target=20)", "--json", "--out", "wall.svg")
    assert [file.name for file in tmp_path.iterdir()] == ["wall.svg"]
    for arguments, sentence in (
        (("--out", "wall.pdf"), "give a file that ends in .svg or .png, not .pdf"),
        (("--out", "nowhere/wall.svg"), "cannot write nowhere/wall.svg"),
        (("show:fair",), "show:fair has no chart"),
    ):
        code, _, err = pitboss("chart", *arguments)
        assert code == 2
        assert sentence in err


def test_chart_in_png(good, tmp_path):
    pytest.importorskip("resvg_py", reason="charts in PNG need resvg-py: pip install pitboss[png]")
    good("chart", "flip7:numbers(target=20)", "--out", tmp_path / "wall.png")
    head = (tmp_path / "wall.png").read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(head[i : i + 4]) for i in (16, 20)] == [2100, 2970]  # A4, ten dots to the millimetre


def test_solve(good, pitboss, tmp_path):
    facts = json.loads(good("solve", "show:classic(deck=* * * 2 2 2)", "--json"))
    assert facts["value"] == pytest.approx(0.3, abs=1e-9)
    assert 0 <= facts["cfr"]["exploitability"] < 0.01
    assert "+0.300000 (exact)" in good("solve", "show:classic(deck=* * * 2 2 2)")
    out = good("solve", "show:classic", "--games", "20000")
    assert "Player 1 has the better seat" in out
    assert "Neither seat is better" in good("solve", "show:fair", "--games", "20000")
    assert "information sets after 20,000 walks" in good(
        "solve", "show:fair", "--train", "--walks", "20000", "--out", tmp_path / "t.npz"
    )
    code, _, err = pitboss("solve", "flip7:official")
    assert code == 2
    assert "--seats 2, who play for the win" in err
