"""How large launches of a kernel can be, and should be: what the driver knows of its code."""

from .. import _core
from .._types import signature_text
from ..errors import LaunchValueError


def sizes(kernel, what, value):
    """[x, y, z] of an int or a tuple of one to three."""
    given = value if isinstance(value, tuple) else (value,)
    if not 1 <= len(given) <= 3:
        raise LaunchValueError(f"kernel `{kernel.__name__}`: a {what} has 1 to 3 dimensions, not {len(given)}")
    counts = [kernel._count(f"size of the {what}", n) for n in given]
    return counts + [1] * (3 - len(counts))


class Occupancy:
    """Each is about what is compiled for one signature, or about all that is compiled: then the least is given."""

    def max_cooperative_grid_blocks(self, blockdim, dynsmemsize=0, signature=None):
        """How many blocks of `blockdim` threads can wait for each other (`gpu.cg.this_grid().sync()`)."""
        return self._least(_core.max_cooperative_blocks, signature, sizes(self, "block", blockdim), self._shared(dynsmemsize))

    def max_active_blocks(self, blockdim, dynsmemsize=0, signature=None):
        """How many blocks of `blockdim` threads a multiprocessor of the GPU holds at once."""
        return self._least(_core.max_active_blocks, signature, sizes(self, "block", blockdim), self._shared(dynsmemsize))

    def suggested_block(self, dynsmemsize=0, signature=None):
        """Threads of a block with which the GPU is filled best; what `forall` takes. On the CPU any number will do."""
        return self._least(_core.suggested_block, signature, self._shared(dynsmemsize))

    def max_active_clusters(self, cluster, blockdim, dynsmemsize=0, signature=None):
        """How many clusters of `cluster` blocks the GPU does at once; 0 if not even one fits."""
        shape = sizes(self, "cluster", cluster)
        return self._least(_core.max_active_clusters, signature, sizes(self, "block", blockdim), self._shared(dynsmemsize), shape)

    def _shared(self, value):
        return self._count("number of bytes of dynamic shared memory", value)

    def _least(self, ask, signature, *arguments):
        found = ask(self, None if signature is None else signature_text(signature), *arguments)
        if not found:
            raise ValueError(
                f"kernel `{self.__name__}` is not compiled for any argument types yet: launch it, or name a signature"
            )
        return min(number for _, number in found)
