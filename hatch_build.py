"""Put into the wheel what is not Python: the native parts, where there is a compiler, demo and workflows."""

import importlib.util
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_BUILD = Path("src/failsame/clock/build.py")
_DEMO = Path("fixtures/python-batch")
_WORKFLOWS = Path("examples/workflows")


class NativeBuildHook(BuildHookInterface[Any]):
    """Hatchling calls it for wheels, editable ones included."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile in place; a wheel takes the results along, and is then no longer for any platform; and the rest."""
        built = self._built()
        if version == "editable":
            return
        included: dict[str, str] = build_data["force_include"]
        included[str(Path(self.root) / _DEMO)] = "failsame/demo"
        included[str(Path(self.root) / _WORKFLOWS)] = "failsame/workflows"
        if built:
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"
            included.update({str(path): str(path.relative_to(Path(self.root) / "src")) for path in built})

    def _built(self) -> tuple[Path, ...]:
        build = _module(Path(self.root) / _BUILD)
        try:
            return tuple(build.build())
        except build.BuildError as error:
            self.app.display_warning(f"failsame will measure in real time only: {error}")
            return ()


def _module(path: Path) -> ModuleType:
    """One module of the package, without its package: what that imports is not there at build time."""
    spec = importlib.util.spec_from_file_location("failsame_clock_build", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
