"""docs/configuration.md, made from the model.

`python -m failsame.config.reference > docs/configuration.md` writes it anew.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from pydantic.fields import FieldInfo

from failsame.config.model import SECTIONS, Section
from failsame.config.reading import PLACES
from failsame.config.schema import schema
from failsame.config.units import UNITS
from failsame.language import Language
from failsame.pins import LOCK_NAMES

EXAMPLE = """\
version: 1
mode: block
subjects:
  - builtin: boto3-s3
  - name: batch-s3
    file: failsame/batch_s3.py
    root: services/batch
    lock: services/batch/uv.lock
    python: "3.12"
    groups: [main]
    build: [psycopg2]
    watch: ["services/batch/src/**"]
    dialect: s3
    scenarios: [silence, status-500, quota, our-gateway-429]
    env: {AWS_RETRY_MODE: standard}
    tls: true
    declare: {function_timeout: 30s, async_invocations: 3}
    budgets:
      - rule: give_up.max < function_timeout
        because: the function must fail by itself, before the platform cuts it off
      - attempts.max * async_invocations <= 9
      - api-gateway
  - name: assistant
    file: web/failsame/assistant.mjs   # Node, with the lock file of web/
    endpoints: {primary: anthropic, fallback: openai}
  - name: billing
    file: failsame/billing.py
    hosts: {api.example.com: main}
    good: {status: 200, body: '{"id": 1}'}
scenarios:
  - name: our-gateway-429
    when: answers 429 through our gateway   # completes "when the service …"
    answers: [{status: 429, headers: {retry-after: "61"}, after: 250ms}, good]
    calls: 1
"""


def _names(language: Language) -> str:
    return ", ".join(f"`{name}`" for name in LOCK_NAMES[language])


_HEAD = f"""\
# The configuration

Made from the model by `python -m failsame.config.reference`. Editors read the same from `schemas/config.json`.

The file is `{PLACES[0]}` or `{PLACES[1]}`; `--config FILE` names another. None is needed: without one, or without
`subjects`, each SDK that the project requires itself and that has a built-in subject is measured, for information.

```yaml
{EXAMPLE}```

A subject's file has two functions of the same shape in every language. In Python, and for Node as an ES module, a
CommonJS one or in TypeScript (which Node runs by itself from 22.18 on):

```python
from batch.clients import create_s3_client

def client(endpoint):                    # a fresh client, once per trial; may be a generator that closes it
    return create_s3_client(endpoint_url=endpoint)

def call(client):                        # one unit of work; raises when it gives up; may be async
    return client.get_object(Bucket="batch-input", Key="a.csv")["Body"].read()
```

```js
import {{ createAssistant }} from "../src/assistant.js";

export function client(endpoint) {{
  return createAssistant({{ baseURL: endpoint }});
}}

export async function call(client) {{
  return client.ask("Say that you are well.");
}}
```

- A subject's language is that of its file: `.py` is Python, `.mjs`, `.js`, `.cjs` and `.ts` are Node. One configuration
  may hold several.
- Each subject gets the lock file of its language. For Python that is the first of {_names("python")};
  for Node of {_names("node")};
  in the nearest folder upwards that has one. `lock` names another.
- The project itself is not installed. A subject in Python imports its code from the folder of the lock file (or
  `root`), and from the `src` in it; with a `uv.lock` also from the folders of the workspace's other members.
- A subject for Node runs in a copy of the repository's code, with the packages of its lock file in the place of
  `node_modules`; all workspaces are there, and no install script of any package has run.
- An unknown key is an error that names its line and the nearest known key. So is a key that stands twice.
- Paths are written from the repository's root and do not leave it.
- A duration is a number with a unit ({", ".join(f"`{unit}`" for unit in UNITS)}) or a bare number of seconds.
- Text that looks like a number, a date or a boolean is put in quotes: `python: "3.10"`.
- The file holds one YAML document of at most a megabyte, without aliases and tags.
- A budget compares measured, declared and other subjects' numbers: docs/budgets.md has the terms, the units and the
  catalogue. An error names the place in its text.
- Names are made of a to z, 0 to 9 and `-`. Subjects have names of their own, and `coming` is reserved. Scenarios and
  groups share one set of names, own ones included.
- `env` cannot set what failsame sets itself, or what would change the measuring process: an error says which and why.
"""

_WORDS = {
    "array": "list",
    "boolean": "true or false",
    "integer": "whole number",
    "number": "number",
    "object": "mapping",
    "string": "text",
}
"""The types of JSON Schema, in words."""

_TITLES = {
    (): "The file",
    ("subjects",): "`subjects[]`",
    ("subjects", "good"): "`subjects[].good`",
    ("subjects", "budgets"): "`subjects[].budgets[]`",
    ("scenarios",): "`scenarios[]`",
    ("scenarios", "answers"): "`scenarios[].answers[]`",
}


def reference() -> str:
    """Every section and every key: type, default, example, what it is for. Markdown."""
    return "\n".join([_HEAD, *(_section(place, section) for place, section in SECTIONS.items())])


def _section(place: tuple[str, ...], section: type[Section]) -> str:
    rows = list(_rows(section))
    head = ["| key | type | default | example | what it is |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([f"## {_TITLES[place]}", "", section.__doc__ or "", "", *head, *rows, ""])


def _rows(section: type[Section]) -> Iterator[str]:
    definitions = schema()["$defs"]
    properties = (definitions.get(section.__name__) or schema())["properties"]
    for key, field in section.model_fields.items():
        what = " ".join((field.description or "").split())
        examples = ", ".join(f"`{_written(example)}`" for example in field.examples or ())
        yield f"| `{key}` | {_type(properties[key], definitions)} | {_default(field)} | {examples} | {what} |"


def _type(shape: dict[str, Any], definitions: dict[str, Any]) -> str:
    """Put a JSON Schema in words."""
    if "$ref" in shape:
        shape = definitions[shape["$ref"].rpartition("/")[2]]
    choices = [each for each in shape.get("anyOf") or shape.get("oneOf") or () if each != {"type": "null"}]
    if choices:
        return " or ".join(_type(each, definitions) for each in choices)
    if "enum" in shape or "const" in shape:
        return " or ".join(f"`{value}`" for value in shape.get("enum", [shape.get("const")]))
    inner = shape.get("items") or shape.get("additionalProperties")
    return _WORDS[shape["type"]] + (f" of {_type(inner, definitions)}" if inner else "")


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    default = field.get_default(call_default_factory=True, validated_data={})
    return f"`{_written(default)}`" if default not in (None, (), {}, "") else ""


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


if __name__ == "__main__":
    sys.stdout.write(reference())
