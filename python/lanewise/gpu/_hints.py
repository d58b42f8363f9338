"""In, Out, InOut: what a launch copies of a host array, where the device has memory of its own."""


class _Hint:
    __slots__ = ("ary",)

    def __init__(self, ary):
        self.ary = ary

    def __repr__(self):
        return f"gpu.{type(self).__name__}({self.ary!r})"


class InOut(_Hint):
    """The array is copied in, and back if the kernel writes it; what a plain array means."""

    __slots__ = ()
    _lanewise_direction = 0


class In(_Hint):
    """The array is copied in, never back: what the kernel writes to it is lost, on every target."""

    __slots__ = ()
    _lanewise_direction = 1


class Out(_Hint):
    """The array is copied back, not in: elements that the kernel does not write are undefined after it."""

    __slots__ = ()
    _lanewise_direction = 2
