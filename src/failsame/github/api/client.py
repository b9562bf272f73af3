"""GitHub's API for one repository: one request at a time, again where that helps, each failure one line."""

import time
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self

import httpx
from tenacity import RetryCallState, Retrying, stop_after_attempt, stop_before_delay

from failsame.github.api.refusals import GitHubError, Scope, refusal
from failsame.github.api.retry import ATTEMPTS, LONGEST, Failed, wait, worth_it
from failsame.github.api.transport import LARGEST, Transport
from failsame.github.settings import Settings

_JSON = "application/vnd.github+json"
_RAW = "application/vnd.github.raw+json"
_PAGE = 100
_MOST_PAGES = 100
_STATUS = {"FORBIDDEN": 403, "NOT_FOUND": 404, "STALE_DATA": 409}
"""GraphQL answers 200 and says what is wrong by type."""

Params = Mapping[str, str | int]


class Client:
    """Asks GitHub. `what`, everywhere, completes "GitHub did not …", and `scope` is the right that it takes."""

    def __init__(self, settings: Settings, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._api = settings.api
        self._repository = f"{settings.api}/repos/{settings.repository}"
        self._graphql = settings.graphql
        self._instance = settings.name
        self._sleep = sleep
        self._transport = Transport(settings.token.get_secret_value())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._transport.close()

    def get(self, path: str, scope: Scope, what: str, params: Params | None = None) -> Any:
        """Read one thing."""
        return self._json(self._sent("GET", self._url(path), scope, what, params=params), what)

    def pages(
        self, path: str, scope: Scope, what: str, params: Params | None = None, *, key: str | None = None
    ) -> Iterator[Any]:
        """Read a list to its end, page by page; `key` names the list where it lies in an object."""
        url, asked = self._url(path), {**(params or {}), "per_page": _PAGE}
        for _ in range(_MOST_PAGES):
            response = self._sent("GET", url, scope, what, params=asked)
            value = self._json(response, what)
            listed = value.get(key) if key is not None and isinstance(value, dict) else value
            if not isinstance(listed, list):
                raise _undocumented(what)
            yield from listed
            following = response.links.get("next", {}).get("url")
            if following is None or not following.startswith(f"{self._api}/"):
                return
            # The address is whole, and not to be made up ("Using pagination in the REST API").
            url, asked = following, {}

    def raw(self, path: str, scope: Scope, what: str, params: Params | None = None) -> bytes | None:
        """Read a file of up to 100 MB; None where there is none."""
        try:
            response = self._sent("GET", self._url(path), scope, what, params=params, accept=_RAW)
        except GitHubError as error:
            if error.status == httpx.codes.NOT_FOUND:
                return None
            raise
        return response.content if "raw" in response.headers.get("content-type", "") else None  # a folder is JSON

    def send(
        self,
        method: str,
        path: str,
        scope: Scope,
        what: str,
        body: Mapping[str, Any] | None = None,
        *,
        repeatable: bool = True,
    ) -> Any:
        """Change something. `repeatable`: twice does no more than once, so that one may ask again after no answer."""
        response = self._sent(method, self._url(path), scope, what, body=body, repeatable=repeatable)
        return self._json(response, what) if response.content else None

    def query(self, text: str, variables: Mapping[str, Any], scope: Scope, what: str) -> Any:
        """Ask the GraphQL API."""
        response = self._sent("POST", self._graphql, scope, what, body={"query": text, "variables": variables})
        answer = self._json(response, what)
        if not isinstance(answer, dict):
            raise _undocumented(what)
        for error in answer.get("errors") or ():
            status, said = _STATUS.get(error.get("type"), 422), str(error.get("message", ""))
            raise refusal(status, said, what=what, scope=scope, instance=self._instance)
        return answer.get("data")

    def download(self, path: str, scope: Scope, what: str, *, largest: int) -> bytes:
        """Read what lies elsewhere, at most `largest` bytes of it."""
        return self._sent("GET", self._url(path), scope, what, largest=largest).content

    def _url(self, path: str) -> str:
        return f"{self._repository}/{path}"

    def _sent(
        self,
        method: str,
        url: str,
        scope: Scope,
        what: str,
        *,
        params: Params | None = None,
        body: Mapping[str, Any] | None = None,
        accept: str = _JSON,
        repeatable: bool = True,
        largest: int = LARGEST,
    ) -> httpx.Response:
        request = self._transport.request(method, url, params=params, body=body, accept=accept)
        tried = Retrying(
            retry=lambda state: _again(_outcome(state), repeatable=repeatable),
            wait=lambda state: wait(_outcome(state), state.attempt_number, now=time.time()),
            stop=stop_after_attempt(ATTEMPTS) | stop_before_delay(LONGEST),
            sleep=self._sleep,
            retry_error_callback=_outcome,
        )(self._transport.send, request, largest=largest)
        if isinstance(tried, Failed):
            raise self._error(tried, what, scope)
        return tried

    def _error(self, failed: Failed, what: str, scope: Scope) -> GitHubError:
        if failed.rate_limited:
            seconds = wait(failed, ATTEMPTS, now=time.time())
            said = f"its rate limit is used up: run it again in {seconds / 60:.0f} min"
            return GitHubError(f"GitHub did not {what}: {said}", failed.status)
        if failed.status is None:
            return GitHubError(f"GitHub did not {what}: it cannot be reached ({failed.message}): run it again later")
        return refusal(failed.status, failed.message, what=what, scope=scope, instance=self._instance)

    def _json(self, response: httpx.Response, what: str) -> Any:
        try:
            return response.json()
        except ValueError:
            raise GitHubError(f"GitHub did not {what}: its answer is not JSON: run it again later") from None


def _undocumented(what: str) -> GitHubError:
    return GitHubError(f"GitHub did not {what}: its answer is not as GitHub documents it: upgrade failsame")


def _outcome(state: RetryCallState) -> Any:
    """What the last try came to: it raises nothing."""
    return state.outcome.result() if state.outcome else None


def _again(tried: httpx.Response | Failed, *, repeatable: bool) -> bool:
    return isinstance(tried, Failed) and worth_it(tried, repeatable=repeatable)
