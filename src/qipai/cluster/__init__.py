"""Work on many cores or machines: `open_pool` for independent tasks, over processes or Ray.

    with open_pool(workers=8) as pool:                            # processes of this machine
    with open_pool(address="ray://head:10001") as pool:           # the workers of a Ray cluster
        for result in pool.stream(play_deals, tasks):             # in the order of the tasks
            ...

The results and their order do not depend on how many workers there are, nor on whether one was lost.
"""

from .doing import doing, is_worker
from .pool import Pool, open_pool

__all__ = ["Pool", "doing", "is_worker", "open_pool"]
