"""GitHub on loopback: a real HTTP server over a repository's state, which lets nothing pass that GitHub would not."""

import json
import re
import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from graphql import GraphQLSchema
from tests.github.contract import Contract
from tests.github.hub.queries import Queries
from tests.github.hub.routes import Answer, Ask, Routes, problem
from tests.github.hub.shapes import Shapes
from tests.github.hub.state import ACTIONS, NAME, Identity, Repository

SECRET = f"ghs_{secrets.token_hex(18)}"
"""The job's token. One of its own for each run of the tests: others may run beside it, and tests look for it."""
VERSION = "2022-11-28"
_BY_NUMBER = "/repositories/1296269/"
"""How GitHub names a repository in the addresses of further pages."""


@dataclass
class Trouble:
    """An answer that takes the place of GitHub's own, `times` times, for requests that match."""

    method: str
    path: str
    answer: Answer | None
    """None drops the connection."""
    times: int = 1
    after: bool = False
    """Whether the request takes effect all the same: what a gateway's timeout may hide."""


@dataclass(frozen=True)
class Seen:
    """A request as it came in."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Hub:
    """The server and all that a test may want of it."""

    repository: Repository
    contract: Contract
    schema: GraphQLSchema
    tokens: dict[str, Identity] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    api: str = ""

    def __post_init__(self) -> None:
        self.shapes = Shapes(self.contract, self.repository)
        self.routes = Routes(self.repository, self.shapes)
        self.queries = Queries(self.schema, self.repository)
        self.grant(contents="read", pull_requests="write", actions="read")

    def grant(self, token: str = SECRET, login: str = ACTIONS, **permissions: str) -> None:
        """Say what a token may do; what is not named it may not."""
        self.tokens[token] = Identity(login, {"metadata": "read", **permissions})

    def trouble(self, method: str, path: str, answer: Answer | None, *, times: int = 1, after: bool = False) -> None:
        """Answer the next requests for a path (a pattern) otherwise."""
        self.troubles.append(Trouble(method, path, answer, times, after))

    def asked(self, method: str, path: str) -> list[Seen]:
        """The requests for a path (a pattern)."""
        return [each for each in self.seen if each.method == method and re.search(path, each.target)]

    def answer(self, seen: Seen) -> Answer | None:
        """Answer one request; None drops the connection."""
        path = urlsplit(seen.target).path
        if path.startswith(_BY_NUMBER):
            return self.answer(replace(seen, target=seen.target.replace(_BY_NUMBER, f"/repos/{NAME}/", 1)))
        if path.startswith("/_archives/"):
            return self._archive(seen, int(path.rsplit("/", 1)[1]))
        trouble = next((t for t in self.troubles if t.method == seen.method and re.search(t.path, seen.target)), None)
        if trouble is not None:
            trouble.times -= 1
            if not trouble.times:
                self.troubles.remove(trouble)
            if not trouble.after:
                return trouble.answer
        answer = self._graphql(seen) if path == "/graphql" else self._rest(seen)
        return trouble.answer if trouble is not None else answer

    def _who(self, seen: Seen) -> Identity | None:
        return self.tokens.get(seen.headers.get("authorization", "").removeprefix("Bearer "))

    def _graphql(self, seen: Seen) -> Answer:
        who = self._who(seen)
        return self.queries.answer(json.loads(seen.body), who) if who else problem(401, "Bad credentials")

    def _rest(self, seen: Seen) -> Answer:
        if seen.headers.get("x-github-api-version") != VERSION:
            self._violated(seen, f"x-github-api-version is not {VERSION}")
        if "user-agent" not in seen.headers:
            self._violated(seen, "no user-agent")
        found = self.contract.operation(seen.method, seen.target)
        if found is None:
            self._violated(seen, "no such operation")
            return problem(404, "Not Found")
        operation, parameters = found
        for wrong in self.contract.request_problems(operation, seen.target, seen.body):
            self._violated(seen, wrong)
        if (who := self._who(seen)) is None:
            return problem(401, "Bad credentials")
        if f"{parameters['owner']}/{parameters['repo']}" != NAME:
            return problem(404, "Not Found")
        query = dict(parse_qsl(urlsplit(seen.target).query))
        body = json.loads(seen.body) if seen.body else None
        ask = Ask(parameters, query, body, seen.headers.get("accept", ""), who, self.api)
        answer = self._paged(self.routes.answer(operation.method, operation.path, ask), seen.target, query)
        for wrong in self.contract.answer_problems(operation, answer.status, answer.kind, answer.content):
            self._violated(seen, f"the fake's own answer: {wrong}")
        return answer

    def _paged(self, answer: Answer, target: str, query: Mapping[str, str]) -> Answer:
        if not answer.paged:
            return answer
        page, size = int(query.get("page", "1")), min(int(query.get("per_page", "30")), 100)
        part = answer.value[(page - 1) * size : page * size]
        headers = {}
        if page * size < len(answer.value):
            following = urlencode({**query, "page": str(page + 1)})
            place = urlsplit(target).path.replace(f"/repos/{NAME}/", _BY_NUMBER, 1)
            headers["Link"] = f'<{self.api}{place}?{following}>; rel="next"'
        value = {"total_count": len(answer.value), answer.listed: part} if answer.listed else part
        return Answer(answer.status, value, headers)

    def _archive(self, seen: Seen, number: int) -> Answer:
        if "authorization" in seen.headers:
            self._violated(seen, "the token went to another host")
        every = (artifact for run in self.repository.runs for artifact in run.artifacts)
        artifact = next((each for each in every if each.id == number), None)
        return Answer(200, artifact.content, kind="application/zip") if artifact else problem(404, "Not Found")

    def _violated(self, seen: Seen, what: str) -> None:
        self.violations.append(f"{seen.method} {seen.target}: {what}")


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """Serve while this is entered."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _handle(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            with lock:
                seen = Seen(self.command, self.path, headers, body)
                hub.seen.append(seen)
                try:
                    answer = hub.answer(seen)
                except Exception as error:  # noqa: BLE001 - a fault of the fake: told where the test ends
                    hub.violations.append(f"{seen.method} {seen.target}: the fake failed: {error!r}")
                    answer = problem(500, "Server Error")
            if answer is None:
                self.close_connection = True
                return
            self.send_response(answer.status)
            for name, value in {"Content-Type": answer.kind, **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = _handle  # noqa: N815 - http.server's names

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hub.api = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
