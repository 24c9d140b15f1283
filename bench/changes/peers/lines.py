"""How a side is spoken to: a JSON object a line in, a JSON object a line out."""

import json
import sys
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


def serve(whole: Callable[[str], None], double: Callable[[str], None]) -> None:
    """Carry out whole runs, or runs that are resumed twice at once, as asked."""
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        keys = [str(uuid.uuid4()) for _ in range(asked["many"])]
        work = double if asked["do"] == "double" else whole
        began = time.perf_counter()
        with ThreadPoolExecutor(asked["threads"]) as pool:
            list(pool.map(work, keys))
        seconds = time.perf_counter() - began
        print(json.dumps({"seconds": seconds, "keys": keys}), flush=True)
