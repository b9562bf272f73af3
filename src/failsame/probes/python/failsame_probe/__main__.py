"""Start a probe: `PYTHON .../failsame_probe`, with the number of its channel's descriptor in FAILSAME_CHANNEL.

Python puts the folder that it runs at the front of sys.path, where our `jitter` would shadow a module of the subject
with that name. So our modules are imported as `failsame_probe.*`, all of them here and now, and then nothing of ours
is left on the path. The environment is the trial room's allow-list: PYTHONHASHSEED and whatever else the
configuration sets has to count, so the interpreter is not isolated from it.
"""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":  # not again in a child that multiprocessing spawns
    _folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or os.curdir) != _folder]
    sys.path.insert(0, os.path.dirname(_folder))
    from failsame_probe.program import main

    sys.path.remove(os.path.dirname(_folder))
    main()
