"""The doctor: what it tries, what it says, and that its trials can work where nothing holds."""

import os
import subprocess
import sys

import pytest

from pitboss.core.errors import PitbossError
from pitboss.sandbox import confine, doctor
from pitboss.sandbox.confine import Layer
from pitboss.sandbox.doctor import Diagnosis, Trial
from pitboss.sandbox.supervisor import WITHOUT
from pitboss.tournament.referee.seats import Referee
from tests.tournament.tables import GAME, clean

linux = pytest.mark.skipif(not confine.LINUX, reason="Linux only")


@pytest.fixture
def switched_off(monkeypatch):
    """The diagnosis of this machine with some layers switched off."""

    def examined(*layers):
        monkeypatch.setenv(WITHOUT, "")
        doctor.switch_off(layers)
        return doctor.examine()

    yield examined
    doctor.examine.cache_clear()


def test_the_doctor_finds_what_is_open():
    findings = [Trial("write files", True, "Landlock", True), Trial("use the network", False, "seccomp", True)]
    sick = Diagnosis("Somewhere", tuple(findings), ())
    assert not sick.isolated
    assert "one could use the network" in sick.verdict or "a bot could use the network" in sick.verdict
    with pytest.raises(PitbossError, match="no safe sandbox for bots: one could use the network"):
        sick.verify_isolated()
    mild = Diagnosis("Somewhere", (findings[0], Trial("be slow", False, "limits", False)), ())
    mild.verify_isolated()
    assert mild.verdict == "Bots run in a sandbox, except that one could be slow."


def test_isolation_can_be_required(monkeypatch):
    sick = Diagnosis("Somewhere", (Trial("use the network", False, "seccomp", True),), ())
    monkeypatch.setattr(doctor, "examine", lambda: sick)
    with pytest.raises(PitbossError, match="no safe sandbox"):
        Referee(GAME, require_isolation=True)
    monkeypatch.undo()
    if doctor.examine().isolated:
        Referee(GAME, require_isolation=True).close()


@linux
def test_where_all_layers_hold_nothing_that_is_tried_works(switched_off):
    with clean():
        diagnosis = switched_off()
    if not all(holds for _, holds in diagnosis.layers):
        pytest.skip("this machine lacks a layer")
    assert {finding.what: finding.ways for finding in diagnosis.findings if finding.ways} == {}
    assert diagnosis.verdict == "Bots run in a sandbox: nothing that was tried worked."


@linux
def test_where_no_layer_holds_everything_works(switched_off):
    """The trials can fail: a patient who is not in a sandbox gets out in every way (but into root, if it is nobody)."""
    diagnosis = switched_off(*Layer)
    assert not any(holds for _, holds in diagnosis.layers)
    assert set(diagnosis.open) >= {what for what, _ in doctor.TRIALS.values()} - {"be root", doctor.TRIALS["traces"][0]}
    assert not diagnosis.isolated


@linux
@pytest.mark.parametrize(
    ("layer", "open_without"),
    [
        (Layer.NAMESPACES, {"traces", "processes", "outside"}),
        (Layer.LIMITS, {"memory"}),
        (Layer.LANDLOCK, set()),
        (Layer.USER, {"root", "threads"}),
    ],
)
def test_what_the_other_layers_are_worth_without_one(switched_off, layer, open_without):
    if not all(holds for _, holds in switched_off().layers):
        pytest.skip("this machine lacks a layer")
    found = set(switched_off(layer).open)
    assert found <= {doctor.TRIALS[trial][0] for trial in open_without}


def test_a_layer_that_does_not_exist_cannot_be_switched_off(monkeypatch):
    monkeypatch.setenv(WITHOUT, "")
    with pytest.raises(PitbossError, match="unknown layer 'lock'.*choices are: namespaces, limits, unprivileged-user"):
        doctor.switch_off(["lock"])
    doctor.switch_off(["landlock", "Unprivileged User"])
    assert os.environ[WITHOUT] == "Landlock,unprivileged user"


@linux
def test_a_supervisor_whose_players_cannot_be_told_apart_does_not_end_itself():
    """Without seccomp nobody asks, and players are known by what the kernel says of them; once it said nothing, and
    number 0 was ended, which is the whole group of the one who does it."""
    env = {**os.environ, WITHOUT: "seccomp", "PYTHONPATH": os.pathsep.join(sys.path)}
    code = "from pitboss.sandbox.doctor import examine; print(len(examine().findings))"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, start_new_session=True)
    assert (done.returncode, done.stdout) == (0, f"{len(doctor.TRIALS)}\n")
