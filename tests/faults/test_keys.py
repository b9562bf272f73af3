import pytest

from failsame.faults import request_key


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("/", "/"),
        ("/bucket/a.csv?versionId=1", "/bucket/a.csv"),
        ("/v1/chat/completions", "/v1/chat/completions"),
        ("/000000000000/queue", "/*/queue"),
        ("/users/42/items/7", "/users/*/items/*"),
        ("/a/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "/a/*"),
        ("/reports/report-3f2504e0-4f89-11d3-9a0c-0305e82c3301.json", "/reports/*"),
        ("/blobs/9e107d9d372bb6826bd81d3542a419d6.bin", "/blobs/*"),
        ("/x/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/x/*"),
        ("/v1/customers/cus_9s6XKzkNRiz8i3", "/v1/customers/*"),
        ("/logs/2026-11-30T02:09:00Z", "/logs/*"),
        ("/2015-03-31/functions/my-function-v2/invocations", "/2015-03-31/functions/my-function-v2/invocations"),
        ("/v1/models/some-model-20250929", "/v1/models/some-model-20250929"),
        ("http://127.0.0.1:81/a/b?c", "/a/b"),
        ("http://[broken/a", "http://[broken/a"),
        ("*", "*"),
        ("//double//slash", "//double//slash"),
    ],
)
def test_a_key_is_the_method_and_the_path_with_ids_masked(target: str, path: str) -> None:
    """What differs from one call to the next is masked; what names the operation stays."""
    assert request_key("GET", target) == f"GET {path}"


def test_a_key_is_bounded() -> None:
    """A hostile path cannot fill a report."""
    assert len(request_key("GET", "/" + "a/" * 10_000)) == 300
