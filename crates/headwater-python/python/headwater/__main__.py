"""`python -m headwater SCENE STEPS`: prints the state hash of a scene after STEPS steps, as `headwater hash` does."""

import json
import sys
import time

from . import World

if len(sys.argv) != 3:
    sys.exit(__doc__)
world = World(sys.argv[1])
begun = time.perf_counter()
world.step(int(sys.argv[2]))
seconds = time.perf_counter() - begun
print(json.dumps({"scene": sys.argv[1], "steps": world.steps, "hash": world.state_hash(), "seconds": seconds}))
