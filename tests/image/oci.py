"""A container as Docker makes it by default, in the words of the OCI runtime specification.

GitHub's runner passes Docker no option that changes any of this.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.image.engine import Container

# https://docs.docker.com/engine/containers/run/#runtime-privilege-and-linux-capabilities
_CAPABILITIES = [
    f"CAP_{name}"
    for name in (
        *("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE"),
        *("NET_RAW", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"),
    )
]

# Docker's profile wants CAP_SYS_ADMIN for these; podman's, which is its descendant, does not.
_NOT_IN_DOCKERS = frozenset(
    {
        *("bpf", "clone", "clone3", "fanotify_init", "fsconfig", "fsmount", "fsopen", "fspick", "lookup_dcookie"),
        *("mount", "mount_setattr", "move_mount", "open_tree", "perf_event_open", "quotactl", "quotactl_fd"),
        *("setdomainname", "sethostname", "setns", "syslog", "umount", "umount2", "unshare"),
        *("io_uring_enter", "io_uring_register", "io_uring_setup"),
    }
)
# Docker's knows these by name; older profiles do not.
_IN_DOCKERS = ["landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "process_vm_readv", "ptrace"]
_PROFILE = Path("/usr/share/containers/seccomp.json")
_NAMESPACES = 0x7E020000  # CLONE_NEWNS and its like
_ENOSYS = 38

_MASKED = ("/proc/acpi", "/proc/asound", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/sched_debug")
_MASKED_TOO = ("/proc/scsi", "/proc/timer_list", "/proc/timer_stats", "/sys/firmware")
_READ_ONLY = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")


def bundle(root: Path, container: "Container", command: Sequence[str]) -> dict[str, Any]:
    """The container's config.json."""
    spaces = ["pid", "mount", "ipc", "uts", *([] if container.network else ["network"])]
    environment = {"PATH": "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin", **container.environment}
    return {
        "ociVersion": "1.0.2",
        "root": {"path": str(root)},
        "hostname": "container",
        "mounts": _mounts(container),
        "process": {
            "terminal": False,
            "user": {"uid": 0, "gid": 0},
            "args": list(command),
            "env": [f"{name}={value}" for name, value in environment.items()],
            "cwd": container.folder,
            "noNewPrivileges": False,
            "capabilities": dict.fromkeys(("bounding", "effective", "permitted"), _CAPABILITIES),
        },
        "linux": {
            "namespaces": [{"type": space} for space in spaces],
            "seccomp": _seccomp(),
            "resources": {},
            "maskedPaths": [*_MASKED, *_MASKED_TOO],
            "readonlyPaths": list(_READ_ONLY),
        },
    }


def _mounts(container: "Container") -> list[dict[str, Any]]:
    def filesystem(target: str, kind: str, *options: str) -> dict[str, Any]:
        return {"destination": target, "type": kind, "source": kind, "options": ["nosuid", *options]}

    def bound(source: Path | str, target: str, *options: str) -> dict[str, Any]:
        return {"destination": target, "type": "bind", "source": str(source), "options": ["rbind", *options]}

    pts = ("noexec", "newinstance", "ptmxmode=0666", "mode=0620")
    names = [bound("/etc/resolv.conf", "/etc/resolv.conf", "ro")] if container.network else []
    return [
        filesystem("/proc", "proc", "noexec", "nodev"),
        filesystem("/dev", "tmpfs", "mode=755", "size=65536k"),
        filesystem("/dev/pts", "devpts", *pts),
        filesystem("/dev/shm", "tmpfs", "noexec", "nodev", "mode=1777", "size=65536k"),
        bound("/sys", "/sys", "ro") if container.network else filesystem("/sys", "sysfs", "noexec", "nodev", "ro"),
        *names,
        *(bound(each.source, each.target) for each in container.mounts),
    ]


def _seccomp() -> dict[str, Any]:
    """Docker's profile, made from podman's."""
    profile = json.loads(_PROFILE.read_text(encoding="utf-8"))
    rules = [rule for each in profile["syscalls"] if (rule := _rule(each)) is not None]
    masked = {"index": 0, "value": _NAMESPACES, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}
    rules += [
        {"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [masked]},
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": _ENOSYS},
        {"names": _IN_DOCKERS, "action": "SCMP_ACT_ALLOW"},
    ]
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": 1,
        "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32"],
        "syscalls": rules,
    }


def _rule(each: Mapping[str, Any]) -> dict[str, Any] | None:
    """A rule without its conditions; None if they do not hold for our capabilities on this architecture."""
    wanted, refused = each.get("includes") or {}, each.get("excludes") or {}
    here = {"amd64", "x86_64"}
    if not set(wanted.get("caps") or ()) <= set(_CAPABILITIES) or set(refused.get("caps") or ()) & set(_CAPABILITIES):
        return None
    if (wanted.get("arches") and not here & set(wanted["arches"])) or here & set(refused.get("arches") or ()):
        return None
    allows = each["action"] == "SCMP_ACT_ALLOW"
    names = [name for name in each["names"] if not allows or name not in _NOT_IN_DOCKERS]
    rule = {"names": names, "action": each["action"]}
    if each.get("errnoRet") is not None:
        rule["errnoRet"] = each["errnoRet"]
    if each.get("args"):
        rule["args"] = [{k: a[k] for k in ("index", "value", "valueTwo", "op") if k in a} for a in each["args"]]
    return rule if names else None
