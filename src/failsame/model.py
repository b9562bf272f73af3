"""The base of every value that is written to a file or sent to another process."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """Frozen, strict about unknown keys, so that a typing error is an error and not a default."""

    model_config = ConfigDict(frozen=True, extra="forbid")
