"""The report's published schema. `python -m failsame.report.schema > schemas/report.json` writes it anew."""

import json
import sys

from failsame.report.model import Report


def schema() -> str:
    """The JSON Schema of a report, as the file holds it."""
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Report.model_json_schema(by_alias=True, mode="serialization"),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema())
