"""The folder of the page: modules joined into one script, and the texts of all languages."""

import json
import re

import pytest

from pitboss.core.errors import PitbossError
from pitboss.page.build import LANGUAGES, STATIC, app_script
from pitboss.render.join import join


def texts(code):
    return json.loads((STATIC / f"{code}.json").read_text("utf-8"))


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_says_everything_with_the_same_values(code):
    for key, text in texts("en").items():
        assert sorted(re.findall(r"\{(\w+)\}", texts(code)[key])) == sorted(re.findall(r"\{(\w+)\}", text)), key
    assert list(texts(code)) == list(texts("en"))


def test_every_text_that_the_scripts_ask_for_is_there():
    asked = {key for file in STATIC.glob("*.js") for key in re.findall(r'\bt\("([^"]+)"', file.read_text("utf-8"))}
    assert asked <= set(texts("en"))


def test_no_module_is_left_in_the_script():
    script = app_script([])
    assert not re.search(r"^\s*(import|export)\b(?!\()", script, re.MULTILINE)
    assert "WORKER" in script


def test_a_module_that_cannot_be_joined_is_refused():
    with pytest.raises(PitbossError, match="cannot be joined"):
        join({"main.js": "export default 3;"}, "main.js")
    with pytest.raises(PitbossError, match="cannot be joined"):
        join({"main.js": "export const [one, two] = [1, 2];"}, "main.js")
    with pytest.raises(PitbossError, match="a.js imports b.js, which is not here"):
        join({"a.js": 'import { b } from "./b.js";'}, "a.js")
    with pytest.raises(PitbossError, match="import each other: a.js → b.js → a.js"):
        join({"a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";'}, "a.js")
