"""The published schema and the documentation say what the model says."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from failsame.config import reference, schema
from failsame.config.model import SECTIONS, Config
from failsame.config.reading import parse_config

ROOT = Path(__file__).parents[2]

# The example of the design, without the keys that come with a later issue.
EXAMPLE = """\
version: 1
mode: block                        # or warn
baselines: baselines
subjects:
  - builtin: boto3-s3              # `name` is free and unique; by default the built-in's
  - name: batch-s3
    file: failsame/batch_s3.py
    root: services/batch
    lock: services/batch/uv.lock
    python: "3.12"
    groups: [main]
    build: [psycopg2]
    watch: ["src/batch/**"]
    dialect: s3
    scenarios: [silence, status-500, quota]
    env: {AWS_RETRY_MODE: standard}
    tls: true
    declare: {function_timeout: 30s, async_invocations: 3}
    budgets:
      - rule: give_up.max < function_timeout
        because: the function must fail by itself, before the platform cuts it off
      - attempts.max * async_invocations <= 9
  - name: assistant
    file: failsame/assistant.mjs
  - name: billing
    file: failsame/billing.py
    hosts: {api.example.com: main}
    good: {status: 200, body: '{"id": 1}'}
scenarios:
  - name: our-gateway-429
    answers: [{status: 429, headers: {retry-after: "61"}}, good]
    calls: 1
"""


def test_the_published_schema_is_current() -> None:
    """schemas/config.json is what `python -m failsame.config.schema` writes."""
    assert (ROOT / "schemas" / "config.json").read_text() == schema.text()


def test_the_documentation_is_current() -> None:
    """docs/configuration.md is what `python -m failsame.config.reference` writes."""
    assert (ROOT / "docs" / "configuration.md").read_text() == reference.reference()


def test_every_key_is_documented_and_every_documented_key_exists() -> None:
    """Each section of the page has one row with words for each key of its model, and no other."""
    page = (ROOT / "docs" / "configuration.md").read_text()
    sections = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    assert len(sections) == len(SECTIONS)
    for section, model in zip(sections, SECTIONS.values(), strict=True):
        rows = re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", section, re.MULTILINE)
        assert [key for key, _ in rows] == list(model.model_fields)
        assert all(words.strip() for _, words in rows)


@pytest.mark.parametrize("example", [EXAMPLE, reference.EXAMPLE], ids=["design", "documentation"])
def test_the_examples_are_configurations(example: str) -> None:
    """They are read without a complaint, and the schema accepts them."""
    config = parse_config(example.encode(), "failsame.yml").config
    assert [subject.called for subject in config.subjects] == ["boto3-s3", "batch-s3", "assistant", "billing"]
    jsonschema.validate(yaml.safe_load(example), schema.schema())


def test_the_example_of_every_key_fits() -> None:
    """What stands under `example` in the documentation is accepted by the schema."""
    whole = schema.schema()
    for model in SECTIONS.values():
        properties = whole["$defs"].get(model.__name__, whole)["properties"]
        for key, field in model.model_fields.items():
            for value in field.examples or ():
                jsonschema.validate(value, {"$defs": whole["$defs"], **properties[key]})


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": 2},
        {"version": 1, "subject": []},
        {"version": 1, "subjects": [{"name": "A", "file": "a.py"}]},
        {"version": 1, "subjects": [{"name": "a", "file": "a.py", "dialect": "s4"}]},
        {"version": 1, "scenarios": [{"name": "a", "answers": [{"after": "3 days"}]}]},
        {"version": 1, "subjects": [{"builtin": "a", "budgets": [{"rules": "a < b"}]}]},
    ],
)
def test_the_schema_refuses_what_the_model_refuses(wrong: object) -> None:
    """An editor underlines a typing error before failsame sees it."""
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, schema.schema())


def test_every_section_of_the_model_has_its_place() -> None:
    """No mapping of the configuration is missing in the table that suggestions and documentation are made from."""
    assert {model.__name__ for model in SECTIONS.values()} == {Config.__name__, *schema.schema()["$defs"]}


def test_the_schema_is_a_schema() -> None:
    """It holds against the draft it names."""
    jsonschema.Draft202012Validator.check_schema(json.loads(schema.text()))
