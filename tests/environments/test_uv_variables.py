"""What uv, and with it an index or a package's build code, gets to see of the caller's environment."""

from pathlib import Path

from failsame.environments.uv import Uv


def test_an_allow_list() -> None:
    """Proxies, certificates and index settings pass; tokens, inputs and settings that choose a Python do not."""
    passed = {
        "PATH": "/bin",
        "HTTPS_PROXY": "http://proxy",
        "SSL_CERT_FILE": "/ca.pem",
        "UV_DEFAULT_INDEX": "https://index",
        "UV_INDEX_OURS_PASSWORD": "needed",
    }
    kept_out = dict.fromkeys(
        (
            "GITHUB_TOKEN",
            "INPUT_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "PYTHONPATH",
            "VIRTUAL_ENV",
            "UV_PYTHON",
            "UV_CONSTRAINT",
        ),
        "x",
    )
    variables = Uv.within({**passed, **kept_out, "UV_PYTHON_DOWNLOADS": "automatic"}).variables
    assert passed.items() <= variables.items()
    assert not kept_out.keys() & variables.keys()
    assert variables["UV_PYTHON_DOWNLOADS"] == "never"


def test_an_answer_holds_both_outputs(tmp_path: Path) -> None:
    """The status and what uv said come back, and a failure is no exception."""
    answer = Uv.within({}).run("no-such-command", folder=tmp_path)
    assert answer.status == 2
    assert "no-such-command" in answer.said
