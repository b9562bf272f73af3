"""Users of the image's: what is given to them, and what of them is ended."""

import os
import subprocess
import threading
from pathlib import Path

import pytest

from failsame.confine import ROOT, Account

NOBODY_ELSE = Account(64124, 64124)

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")


def test_a_folder_with_all_in_it(tmp_path: Path) -> None:
    """Everything in it changes hands, and what a link in it leads to does not."""
    outside = tmp_path / "outside"
    outside.write_text("ours")
    folder = tmp_path / "folder"
    (folder / "deep/deeper").mkdir(parents=True)
    (folder / "deep/file").touch()
    (folder / "deep/link").symlink_to(outside)
    NOBODY_ELSE.give_all(folder)
    assert {path.lstat().st_uid for path in (folder, *folder.rglob("*"))} == {NOBODY_ELSE.uid}
    assert outside.stat().st_uid == 0
    ROOT.give_all(folder)
    assert {path.lstat().st_uid for path in (folder, *folder.rglob("*"))} == {0}


def test_a_folder_that_turns_into_a_link(tmp_path: Path) -> None:
    """Whoever swaps a folder for a link while it is given away gets nothing of what the link leads to."""
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    for name in ("a", "b"):
        (outside / name).mkdir(parents=True)
        (folder / name).mkdir(parents=True)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (folder / "a").rename(folder / "aside")
            (folder / "a").symlink_to(outside)
            (folder / "a").unlink()
            (folder / "aside").rename(folder / "a")

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        for _ in range(300):
            try:
                NOBODY_ELSE.give_all(folder)
            except OSError:
                continue  # what it was about to give is gone
    finally:
        stop.set()
        swapping.join()
    assert {path.lstat().st_uid for path in outside.rglob("*")} == {0}


def test_all_its_processes(tmp_path: Path) -> None:
    """Daemons that left their session are ended, too."""
    user = {"user": NOBODY_ELSE.uid, "group": NOBODY_ELSE.gid, "extra_groups": ()}
    script = "setsid sh -c 'sleep 300 & sleep 300' & sleep 300"
    with subprocess.Popen(("/bin/sh", "-c", script), cwd="/", start_new_session=True, **user) as left:  # type: ignore[call-overload]
        NOBODY_ELSE.end_all()
        assert left.wait(5) < 0
    assert not [
        path for path in Path("/proc").glob("[0-9]*") if _owner(path) == NOBODY_ELSE.uid and (path / "exe").exists()
    ]


def test_not_its_own_processes() -> None:
    """The user that failsame runs as is spared: nothing is ended, and the mistake is told."""
    with pytest.raises(ValueError, match="runs more than package managers"):
        ROOT.end_all()


def _owner(path: Path) -> int:
    try:
        return path.stat().st_uid
    except OSError:
        return -1
