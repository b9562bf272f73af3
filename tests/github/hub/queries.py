"""GitHub's GraphQL API, as far as it is used: executed by a GraphQL engine over GitHub's own types."""

import base64
from typing import Any

from graphql import GraphQLError, GraphQLSchema, graphql_sync
from tests.github.hub.routes import Answer
from tests.github.hub.shapes import SERVER
from tests.github.hub.state import NAME, Identity, Repository


class Queries:
    """Executes queries."""

    def __init__(self, schema: GraphQLSchema, repository: Repository) -> None:
        self._schema = schema
        self._repository = repository

    def answer(self, body: dict[str, Any], who: Identity) -> Answer:
        """Execute one; what is wrong with its form comes out as GraphQL says it, and is a 200."""
        roots = {
            "viewer": {"login": who.login},
            "createCommitOnBranch": lambda _, **asked: self._commit(asked["input"], who),
        }
        result = graphql_sync(self._schema, body["query"], roots, variable_values=body.get("variables"))
        value: dict[str, Any] = {"data": result.data}
        if result.errors:
            value["errors"] = [
                {**error.formatted, "type": (error.extensions or {}).get("type", "INVALID")} for error in result.errors
            ]
        return Answer(200, value)

    def _commit(self, asked: dict[str, Any], who: Identity) -> dict[str, Any]:
        branch, repository = asked["branch"]["branchName"], self._repository
        if not who.may("contents", "write"):
            raise GraphQLError("Resource not accessible by integration", extensions={"type": "FORBIDDEN"})
        if branch in repository.protected:
            raise GraphQLError("Repository rule violations found", extensions={"type": "UNPROCESSABLE"})
        head = repository.branches.get((NAME, branch), "")
        if head != asked["expectedHeadOid"]:
            raise GraphQLError(
                f'Expected branch to point to "{head}" but it did not. Pull and try again.',
                extensions={"type": "STALE_DATA"},
            )
        changes = asked["fileChanges"]
        for deletion in changes["deletions"]:
            if deletion["path"] not in repository.commits[head].files:
                raise GraphQLError(f'A path was requested for deletion which does not exist: "{deletion["path"]}"')
        sha = repository.push(
            branch,
            {
                **{each["path"]: None for each in changes["deletions"]},
                **{each["path"]: base64.b64decode(each["contents"], validate=True) for each in changes["additions"]},
            },
            author=who.login,
            message="\n\n".join(filter(None, (asked["message"]["headline"], asked["message"].get("body")))),
            signed=True,
        )
        return {"commit": {"oid": sha, "url": f"{SERVER}/{NAME}/commit/{sha}"}}
