"""The built-in subjects, with the real SDKs, against good answers in their dialects."""

import contextlib
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.probes.probing import Probe, run_trial
from uv import find_uv_bin

from failsame.language import language_of
from failsame.probes import BUILTINS, BuiltIn
from failsame.suite.dialects import DIALECTS, Request
from failsame.trial.channel import CallEnded, Connect, Done, Note, Prepared

CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "dummy",
    "AWS_SECRET_ACCESS_KEY": "dummy",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "OPENAI_API_KEY": "dummy",
    "ANTHROPIC_API_KEY": "dummy",
}

PYTHON = [builtin for builtin in BUILTINS.values() if builtin.language == "python"]


@contextlib.contextmanager
def answering(dialect: str, status: int | None = None) -> Iterator[tuple[str, list[str]]]:
    """Serve a dialect's good answers, or its error for a status; yields the URL and the requests that came."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.command, self.path, headers, body)
            requests.append(f"{self.command} {request.path}")
            speaks = DIALECTS[dialect]
            reply = speaks.good(request) if status is None else speaks.error(request, status)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        do_GET = do_POST = answer  # noqa: N815 -- names that http.server calls

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- its name there
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", requests
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The interpreter of an environment that holds every SDK."""
    folder = tmp_path_factory.mktemp("environment") / "sdks"
    python = str(folder / "bin/python")
    uv = find_uv_bin()
    subprocess.run([uv, "venv", "--quiet", "--no-python-downloads", folder], check=True)
    wanted = sorted({builtin.distribution for builtin in PYTHON if builtin.distribution})
    subprocess.run([uv, "pip", "install", "--quiet", "--only-binary", ":all:", "--python", python, *wanted], check=True)
    return python


@pytest.mark.install
@pytest.mark.parametrize("builtin", PYTHON, ids=lambda builtin: builtin.name)
def test_a_built_in_subject_works(builtin: BuiltIn, python: str) -> None:
    """Each is forked, sends one request, understands the good answer and notes nothing; its error has a code."""
    probe = Probe(python, CREDENTIALS)
    said = probe.prepare(builtin.file)
    assert isinstance(said, Prepared), said
    assert (said.fork, said.why) == (True, None)
    with answering(builtin.dialect) as (url, requests):
        healthy = run_trial(probe, url, fork=True, modules=True)
    assert healthy.outcomes == ["ok"], healthy.of(CallEnded)
    assert len(requests) == 1
    assert [connect.endpoint for connect in healthy.of(Connect)] == ["main"]
    assert not healthy.of(Note)
    modules = healthy.of(Done)[0].modules
    assert any(name.partition(".")[0] == builtin.distribution for name in modules)
    with answering(builtin.dialect, status=404) as (url, _):
        missing = run_trial(probe, url, fork=True)
    (ended,) = missing.of(CallEnded)
    assert ended.outcome.startswith(
        {"boto3": "botocore."}.get(str(builtin.distribution), f"{builtin.distribution}."),
    )
    assert ended.code
    assert probe.close() is not None


@pytest.mark.install
def test_preloading_takes_imports_out_of_the_call(python: str) -> None:
    """What openai imports at its first call is there before the next trial's begins, and is no hindrance to forking."""
    builtin = BUILTINS["openai"]
    with answering(builtin.dialect) as (url, _):
        first = Probe(python, CREDENTIALS)
        said = first.prepare(builtin.file)
        assert isinstance(said, Prepared)
        modules = run_trial(first, url, fork=True, modules=True).of(Done)[0].modules
        first.close()
        assert "openai.resources.chat" in modules
        second = Probe(python, CREDENTIALS)
        said = second.prepare(builtin.file, preload=tuple(modules))
        assert isinstance(said, Prepared)
        assert said.fork, said.why
        assert run_trial(second, url, fork=True).outcomes == ["ok"]
        second.close()


def test_the_table() -> None:
    """Every built-in's file is there, speaks a dialect that there is, and boto3's first is S3."""
    for name, builtin in BUILTINS.items():
        assert builtin.name == name
        assert builtin.file.is_file()
        assert builtin.dialect in DIALECTS
    folders = {builtin.file.parent for builtin in BUILTINS.values()}
    files = [file for folder in folders for file in folder.iterdir() if file.is_file()]
    assert sorted(builtin.file for builtin in BUILTINS.values()) == sorted(files)
    assert all(language_of(builtin.file.name) == builtin.language for builtin in BUILTINS.values())
    assert next(builtin.name for builtin in BUILTINS.values() if builtin.distribution == "boto3") == "boto3-s3"
