"""The published JSON Schema of the configuration, for editors.

`python -m failsame.config.schema > schemas/config.json` writes it anew.
"""

import json
import sys
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from failsame.config.model import Config, SubjectSection
from failsame.suite.dialects import DIALECTS

URL = "https://json-schema.org/draft/2020-12/schema"


class _WithoutTitles(GenerateJsonSchema):
    """A key's title would be the key again, with a capital."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the signature is pydantic's
        return False


def schema() -> dict[str, Any]:
    """The JSON Schema of `.github/failsame.yml`, made from the model."""
    made = Config.model_json_schema(schema_generator=_WithoutTitles)
    keys = made["$defs"][SubjectSection.__name__]["properties"]
    for shape in (keys["dialect"]["anyOf"][0], keys["endpoints"]["anyOf"][0]["additionalProperties"]):
        shape["enum"] = list(DIALECTS)
    return {"$schema": URL, **made, "title": "The configuration of failsame"}


def text() -> str:
    """The schema as the published file holds it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
