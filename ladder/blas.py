"""Linear algebra on one thread.

BLAS starts as many threads as there are processors for a matrix of more than some 200 rows, and
they wait for each other by spinning. Beside other programs, such as the games of the ladder itself,
the fits of 300 bots then took 50 times as long (numpy 2.4, OpenBLAS, two busy processors).
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from threadpoolctl import threadpool_limits

LEAST_ROWS = 100
"""Of matrices that may take several threads; to set the limit takes longer than to solve others."""


def one_thread(rows: int) -> AbstractContextManager[object]:
    """Use one thread for linear algebra in all of the process, up to the end of the block.

    Args:
        rows: of the largest matrix; below `LEAST_ROWS` nothing needs to be done.
    """
    if rows < LEAST_ROWS:
        return nullcontext()
    limits: AbstractContextManager[object] = threadpool_limits(limits=1, user_api="blas")
    return limits
