"""Plug-ins that allocate the memory of device arrays, as a pool of another library does."""

import abc
import operator
import weakref

from .. import _core
from ..errors import LaunchTypeError, LaunchValueError

_manager_class = None
_managers = {}  # by the number of the device


class MemoryPointer:
    """Device memory of a plug-in: `pointer` (an int, or with a `value`), `size` bytes; `finalizer()` frees it."""

    def __init__(self, context, pointer, size, owner=None, finalizer=None):
        self.context = context
        self.device_pointer = pointer
        self.size = size
        self.owner = owner
        if finalizer is not None:
            self._finalizer = weakref.finalize(self, finalizer)

    @property
    def device_pointer_value(self):
        return int(getattr(self.device_pointer, "value", self.device_pointer))

    __int__ = device_pointer_value.fget


class BaseCUDAMemoryManager(abc.ABC):
    """A plug-in. Made once for each device: `context` is its gpu.current_context()."""

    def __init__(self, *args, context=None, **kwargs):
        if context is None:
            raise RuntimeError("a memory manager is made by lanewise, with the device's context")
        self.context = context

    @abc.abstractmethod
    def memalloc(self, size):
        """A MemoryPointer of `size` bytes on the context's device."""

    @abc.abstractmethod
    def initialize(self):
        """Called before the first allocation of each device; may be called again."""

    @abc.abstractmethod
    def get_memory_info(self):
        """(free, total) bytes."""

    @property
    @abc.abstractmethod
    def interface_version(self):
        """1"""


class HostOnlyCUDAMemoryManager(BaseCUDAMemoryManager):
    """The base of plug-ins that allocate device memory only. Host memory (pinned, mapped) is always Lanewise's."""


class GetIpcHandleMixin:
    """For plug-ins whose allocations the driver can hand to other processes as they are."""


def set_memory_manager(mm_plugin):
    """Makes a subclass of BaseCUDAMemoryManager allocate the device arrays made from now on; None: Lanewise again."""
    global _manager_class
    if mm_plugin is not None and not (isinstance(mm_plugin, type) and issubclass(mm_plugin, BaseCUDAMemoryManager)):
        raise LaunchTypeError(f"set_memory_manager: a subclass of BaseCUDAMemoryManager is needed, not {mm_plugin!r}")
    _manager_class = mm_plugin
    _managers.clear()


def manager_of_current_device():
    """The plug-in's manager for this thread's CUDA device; None without a plug-in."""
    if _manager_class is None:
        return None
    number = _core.current_device("cuda")
    if number not in _managers:
        from ._devices import Context, Device

        manager = _manager_class(context=Context(Device("cuda", number)))
        if manager.interface_version != 1:
            raise RuntimeError(
                f"the memory manager has interface version {manager.interface_version}, 1 is needed"
            )
        _managers[number] = manager
    manager = _managers[number]
    manager.initialize()
    return manager


def _checked_address(memory, count):
    """Of what memalloc returned."""
    who = f"the memory manager {_manager_class.__name__}"
    try:
        address, size = operator.index(int(memory)), operator.index(memory.size)
    except (AttributeError, TypeError, ValueError) as error:
        raise LaunchTypeError(f"{who}: memalloc must return a MemoryPointer, not {memory!r} ({error})") from None
    if size < count:
        raise LaunchValueError(f"{who}: memalloc returned {size} bytes, {count} were asked for")
    if not 0 <= address < 2**64 - size:
        raise LaunchValueError(f"{who}: memalloc returned the address {address}")
    return address


def allocate(target, count, stream):
    """`count` bytes on the target's device, from the plug-in if there is one."""
    if _manager_class is not None and (target or _core.default_target()) == "cuda":
        memory = manager_of_current_device().memalloc(max(count, 1))
        return _core.wrap_memory("cuda", _checked_address(memory, count), count, memory)
    return _core.allocate(target, count, stream)
