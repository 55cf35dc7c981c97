"""Nonsense of all kinds, made from the description of the interface: it is refused, and nothing breaks."""

import pytest
from hypothesis import HealthCheck, given, settings

from pitboss import Tournament

OPERATIONS = [
    "GET /api/games", "GET /api/rules", "POST /api/tables", "GET /api/tables/{id}", "POST /api/tables/{id}/moves",
    "GET /api/tables/{id}/hint", "POST /api/tables/{id}/join", "POST /api/tables/{id}/again",
    "PUT /api/tables/{id}/pace", "POST /api/tables/{id}/step", "GET /api/replays", "GET /api/replays/{id}",
    "GET /api/records/{id}", "GET /api/decisions/{id}", "GET /api/blunders/{id}",
    "GET /api/tournaments", "POST /api/tournaments", "GET /api/tournaments/{id}", "GET /api/tournaments/{id}/live",
    "GET /api/tournaments/{id}/bots/{number}", "GET /api/tournaments/{id}/bots/{number}/profile",
    "GET /api/tournaments/{id}/files/{kind}", "GET /api/tournaments/{id}/run", "POST /api/tournaments/{id}/resume",
    "POST /api/tournaments/{id}/stop", "GET /api/bots", "POST /api/bots", "GET /api/bots/{id}", "GET /api/companion",
    "POST /api/companion", "POST /api/companion/advice", "GET /api/opening", "GET /api/stories/{id}",
    "GET /api/tables/{id}/code", "POST /api/codes/{code}/join",
]  # fmt: skip


@pytest.fixture(scope="module")
def schema(room):
    schemathesis = pytest.importorskip("schemathesis", reason="needs the package schemathesis")
    return schemathesis.openapi.from_url(f"{room.url}/openapi.json")


@pytest.fixture(scope="module")
def known(room):
    """A table in play, its token, and a finished one."""
    done, token = room.make("flip7:solo(target=1)", "bot ev", seed="1", pace=0)
    while not room.ask("POST", f"/api/tables/{done}/step", token).json()["ending"]:
        pass
    cup = Tournament("flip7:tournament", "ev,random", blocks=2, seed=1, store=room.settings.store)
    cup.play()
    return *room.make("flip7:official", "here Ann", "guest Bob", "bot ev", seed="1"), done, cup.id


@pytest.mark.parametrize("operation", OPERATIONS)
def test_nothing_breaks(room, schema, known, operation):
    method, path = operation.split()
    table, token, done, cup = known
    what = path.split("/")[2]

    @given(case=schema[path][method].as_strategy())
    @settings(max_examples=15, database=None, suppress_health_check=list(HealthCheck))
    def attack(case):
        if "id" in (case.path_parameters or {}) and len(str(case.path_parameters["id"])) % 3:
            case.path_parameters["id"] = {"tables": table, "tournaments": cup, "bots": "abc"}.get(what, done)
        bearer = room.settings.upload_token if what == "bots" else token
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {bearer}"}
        answer = case.call()
        assert answer.status_code < 500, (case.as_curl_command(), answer.text)
        if answer.status_code >= 400:
            assert list(answer.json()) == ["error"]

    attack()


def test_every_operation_is_tried(schema, room):
    spec = room.get("/openapi.json")["paths"]
    assert {f"{method.upper()} {path}" for path, methods in spec.items() for method in methods} == set(OPERATIONS)
