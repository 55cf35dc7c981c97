"""A release: one version everywhere, extras that can be installed, and a wheel that works where there is nothing else.

The wheel is the one that `make build` made; without it these tests are left out.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import pitboss

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def pinned():
    """The versions in constraints.txt by name."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pairs = (line.partition(";")[0].split("==") for line in lines if "==" in line)
    return {canonicalize_name(name): version.strip() for name, version in pairs}


def test_there_is_one_version():
    version = pitboss.__version__
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {version}\n" in citation
    date = re.search(r"^date-released: (\d{4}-\d\d-\d\d)$", citation, re.MULTILINE)[1]
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## (.*)", changes, re.MULTILINE)[0] == f"{version} ({date})"


@pytest.mark.parametrize("extra", ["", *EXTRAS])
def test_what_an_extra_needs_is_named_and_fits(extra):
    """Whatever it names is pinned at a version that it allows; other extras that it names exist."""
    versions = pinned()
    for text in EXTRAS[extra] if extra else PROJECT["dependencies"]:
        wanted = Requirement(text)
        if wanted.name == "pitboss":
            assert wanted.extras <= set(EXTRAS), text
        elif canonicalize_name(wanted.name) in versions:
            assert wanted.specifier.contains(versions[canonicalize_name(wanted.name)]), text
        else:
            assert extra == "sb3", f"{text} has no version in constraints.txt"  # which brings PyTorch


@pytest.fixture(scope="module")
def wheel():
    """What `make build` made."""
    found = sorted((ROOT / "dist").glob(f"pitboss-{pitboss.__version__}-*.whl"))
    if not found:
        pytest.skip("needs the wheel: make build")
    return found[-1]


@pytest.fixture(scope="module")
def container(wheel, tmp_path_factory):
    """A folder with the environment that a container gets, made by the script that the Containerfile runs."""
    place = tmp_path_factory.mktemp("container")
    own = getattr(sys, "_base_executable", sys.executable)
    run(ROOT / "tools/container.sh", ROOT, place / "pitboss", cwd=place, PYTHON=own)
    return place


def run(*words, cwd, **more):
    """A command's output; it must succeed."""
    ours = ("PYTHONPATH", "VIRTUAL_ENV", "PITBOSS_")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    done = subprocess.run([*map(str, words)], cwd=cwd, env=kept | more, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_container_plays_without_a_compiler(container):
    program, cache = container / "pitboss/bin/pitboss", {"PITBOSS_CACHE": str(container / "cache")}
    asked = ("flip7:tournament", "--games", "200", "--seed", "1", "--record", "2", "games.jsonl")
    assert "compiling" not in run(program, "simulate", *asked, cwd=container, **cache)
    run(program, "replay", "games.jsonl", "--verify", cwd=container, **cache)
    run(
        program,
        "tournament",
        "run",
        "flip7:tournament",
        "--bots",
        "stay-25,ev",
        "--blocks",
        "2",
        cwd=container,
        **cache,
    )
    assert pitboss.__version__ in run(program, "--version", cwd=container)


def test_the_containerfile_runs_what_was_tested():
    steps = (ROOT / "Containerfile").read_text("utf-8")
    assert "RUN /source/tools/container.sh /source /opt/pitboss" in steps
    assert 'ENTRYPOINT ["/opt/pitboss/bin/pitboss"]' in steps


def test_completion_is_installed(container):
    """--install-completion writes what bash reads, and the tab key then knows the commands."""
    home = container / "home"
    home.mkdir()
    own = {"HOME": str(home), "PATH": f"{container / 'pitboss/bin'}:{os.environ['PATH']}"}
    run("bash", "-c", "pitboss --install-completion; true", cwd=home, **own)
    typed = """
        source ~/.bashrc
        COMP_WORDS=(pitboss tourn) COMP_CWORD=1
        eval "$(complete -p pitboss | sed -E 's/.* -F ([^ ]+) .*/\\1/') pitboss"
        echo "${COMPREPLY[@]}"
    """
    assert run("bash", "-c", typed, cwd=home, **own).split() == ["tournament"]


def sources():
    """Where pip finds packages, as uv is told of it."""
    names = {"index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX", "find-links": "UV_FIND_LINKS"}
    listed = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True)
    told = dict(re.findall(r"\.([a-z-]+)='(.*)'", listed.stdout))
    found = {variable: told[name] for name, variable in names.items() if name in told}
    found["UV_INDEX_STRATEGY"] = "unsafe-best-match"  # as pip does it
    return found | ({"SSL_CERT_FILE": told["cert"]} if "cert" in told else {})


@pytest.mark.parametrize("tool", ["uv", "pipx"])
def test_it_is_installed_as_a_tool(wheel, tmp_path, tool):
    constraints = str(ROOT / "constraints.txt")
    where = {
        "XDG_DATA_HOME": str(tmp_path),
        "UV_TOOL_DIR": str(tmp_path / "uv"),
        "UV_TOOL_BIN_DIR": str(tmp_path / "bin"),
    }
    where |= {"PIPX_HOME": str(tmp_path / "pipx"), "PIPX_BIN_DIR": str(tmp_path / "bin"), "PIP_CONSTRAINT": constraints}
    command = {
        "uv": ("uv", "tool", "install", "--python", sys.executable, "--constraints", constraints, wheel),
        "pipx": ("pipx", "install", "--python", sys.executable, wheel),
    }[tool]
    program = Path(sys.executable).parent / command[0]
    run(program, *command[1:], cwd=tmp_path, **where, **sources())
    assert pitboss.__version__ in run(tmp_path / "bin/pitboss", "--version", cwd=tmp_path)
    assert "flip7:official" in run(tmp_path / "bin/pitboss", "games", cwd=tmp_path)
