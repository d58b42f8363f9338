"""Devices and their contexts: gpu.gpus, select_device, current_context.

On the CPU there is one device, the machine. Its compute capability is (7, 5), that of the PTX which inspect_ptx
shows there.
"""

import contextlib
import threading
from collections import namedtuple

from .. import _core
from ._memory_manager import manager_of_current_device
from ._streams import event, stream

MemoryInfo = namedtuple("MemoryInfo", "free total")
MemoryInfo.__doc__ = "Bytes of a device's memory: free and in all."

# CUdevice_attribute, as attributes of Device by the names that CUDA's documentation has.
_ATTRIBUTES = {
    "MAX_THREADS_PER_BLOCK": 1, "MAX_BLOCK_DIM_X": 2, "MAX_BLOCK_DIM_Y": 3, "MAX_BLOCK_DIM_Z": 4,
    "MAX_GRID_DIM_X": 5, "MAX_GRID_DIM_Y": 6, "MAX_GRID_DIM_Z": 7, "MAX_SHARED_MEMORY_PER_BLOCK": 8,
    "TOTAL_CONSTANT_MEMORY": 9, "WARP_SIZE": 10, "MAX_PITCH": 11, "MAX_REGISTERS_PER_BLOCK": 12, "CLOCK_RATE": 13,
    "TEXTURE_ALIGNMENT": 14, "GPU_OVERLAP": 15, "MULTIPROCESSOR_COUNT": 16, "KERNEL_EXEC_TIMEOUT": 17,
    "INTEGRATED": 18, "CAN_MAP_HOST_MEMORY": 19, "COMPUTE_MODE": 20, "CONCURRENT_KERNELS": 31, "ECC_ENABLED": 32,
    "PCI_BUS_ID": 33, "PCI_DEVICE_ID": 34, "TCC_DRIVER": 35, "MEMORY_CLOCK_RATE": 36,
    "GLOBAL_MEMORY_BUS_WIDTH": 37, "L2_CACHE_SIZE": 38, "MAX_THREADS_PER_MULTI_PROCESSOR": 39,
    "ASYNC_ENGINE_COUNT": 40, "UNIFIED_ADDRESSING": 41, "PCI_DOMAIN_ID": 50, "COMPUTE_CAPABILITY_MAJOR": 75,
    "COMPUTE_CAPABILITY_MINOR": 76, "STREAM_PRIORITIES_SUPPORTED": 78, "GLOBAL_L1_CACHE_SUPPORTED": 79,
    "LOCAL_L1_CACHE_SUPPORTED": 80, "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR": 81,
    "MAX_REGISTERS_PER_MULTIPROCESSOR": 82, "MANAGED_MEMORY": 83, "IS_MULTI_GPU_BOARD": 84,
    "MULTI_GPU_BOARD_GROUP_ID": 85, "HOST_NATIVE_ATOMIC_SUPPORTED": 86, "SINGLE_TO_DOUBLE_PERF_RATIO": 87,
    "PAGEABLE_MEMORY_ACCESS": 88, "CONCURRENT_MANAGED_ACCESS": 89, "COMPUTE_PREEMPTION_SUPPORTED": 90,
    "CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM": 91, "COOPERATIVE_LAUNCH": 95,
    "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": 97, "DIRECT_MANAGED_MEM_ACCESS_FROM_HOST": 101,
    "MAX_BLOCKS_PER_MULTIPROCESSOR": 106, "MAX_PERSISTING_L2_CACHE_SIZE": 108,
    "RESERVED_SHARED_MEMORY_PER_BLOCK": 111, "MEMORY_POOLS_SUPPORTED": 115, "CLUSTER_LAUNCH": 120,
}


class Device:
    """One device. `with gpu.gpus[1]:` selects it for the block; its limits are attributes (WARP_SIZE, ...)."""

    def __init__(self, target, ordinal):
        self._info = _core.device_info(target, ordinal)
        self._target = target

    id = property(lambda self: self._info.ordinal, doc="The number, counted from 0.")
    name = property(lambda self: self._info.name)
    target = property(lambda self: self._target)

    @property
    def compute_capability(self):
        """(major, minor)"""
        return divmod(self._info.sm or 75, 10)

    cc = compute_capability

    @property
    def uuid(self):
        """As nvidia-smi writes it: "GPU-..."; "" if the driver does not say."""
        digits = self._info.uuid.hex()
        groups = (digits[begin:end] for begin, end in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32)))
        return f"GPU-{'-'.join(groups)}" if any(self._info.uuid) else ""

    def get_device_identity(self):
        return {
            "pci_domain_id": self.PCI_DOMAIN_ID,
            "pci_bus_id": self.PCI_BUS_ID,
            "pci_device_id": self.PCI_DEVICE_ID,
        }

    def __getattr__(self, name):
        if name not in _ATTRIBUTES:
            raise AttributeError(f"a device has no attribute {name!r}")
        return _core.device_attribute(self._target, self.id, _ATTRIBUTES[name])

    def __dir__(self):
        return [*super().__dir__(), *_ATTRIBUTES]

    def __eq__(self, other):
        return isinstance(other, Device) and (self.id, self.target) == (other.id, other.target)

    def __hash__(self):
        return hash((self.id, self.target))

    def __repr__(self):
        return f"<device {self.id} on {self.target}: {self.name}>"

    def get_primary_context(self):
        return Context(self)

    def __enter__(self):
        before = _core.selected_device(self._target)
        _core.select_device(self._target, self.id)
        _selection(self._target).append(before)
        return Context(self)

    def __exit__(self, *exception):
        _core.select_device(self._target, _selection(self._target).pop())


_selections = threading.local()


def _selection(target):
    """What `with device:` goes back to, of this thread; -1: another library's current context decides."""
    return _selections.__dict__.setdefault(target, [])


class Context:
    """A device's primary context, which all libraries of the process share."""

    def __init__(self, device):
        self.device = device

    id = property(lambda self: self.device.id)

    def __repr__(self):
        return f"<context of device {self.id} on {self.device.target}>"

    def __eq__(self, other):
        return isinstance(other, Context) and self.device == other.device

    def __hash__(self):
        return hash(self.device)

    @contextlib.contextmanager
    def _current(self):
        with self.device:
            yield self.device.target

    def get_memory_info(self):
        """(free, total) bytes of the device's memory; on the CPU the machine's."""
        with self._current() as target:
            manager = manager_of_current_device() if target == "cuda" else None
            return MemoryInfo(*(manager.get_memory_info() if manager else _core.memory_info(target)))

    def synchronize(self):
        """Waits for all work of the device; raises what went wrong in it."""
        with self._current() as target:
            _core.synchronize(target)

    def create_stream(self):
        with self._current() as target:
            return stream(target=target)

    def create_event(self, timing=True):
        with self._current() as target:
            return event(timing, target=target)

    def can_access_peer(self, peer):
        """Whether kernels of this device can use the memory of device number `peer`."""
        return _core.can_access_peer(self.device.target, self.id, _ordinal(peer))

    def enable_peer_access(self, peer):
        """Lets kernels of this device use the memory of device number `peer`."""
        with self._current() as target:
            _core.enable_peer_access(target, _ordinal(peer))


def _ordinal(device):
    """The number of a device, its context, or a number."""
    return int(getattr(device, "id", device))


class _DeviceList:
    """gpu.gpus: the devices of the target in use; looked for when first asked."""

    def __init__(self):
        self._devices = {}

    @property
    def lst(self):
        target = _core.default_target()
        if target not in self._devices:
            self._devices[target] = [Device(target, i) for i in range(_core.device_count(target))]
        return self._devices[target]

    @property
    def current(self):
        return get_current_device()

    def __len__(self):
        return len(self.lst)

    def __iter__(self):
        return iter(self.lst)

    def __getitem__(self, index):
        try:
            return self.lst[index]
        except IndexError:
            raise IndexError(f"there is no device {index}: there are {len(self)}, counted from 0") from None

    def __repr__(self):
        return f"<devices: {', '.join(device.name for device in self)}>"

    def __str__(self):
        return ", ".join(map(repr, self))


gpus = _DeviceList()


def list_devices():
    """All devices, as gpu.gpus."""
    return gpus


def select_device(device_id):
    """Makes a device the one of this thread's launches and allocations; returns its context."""
    device = gpus[device_id]
    _core.select_device(device.target, device.id)
    return Context(device)


def get_current_device():
    """The device of this thread: the one selected, else that of the context another library made current, else 0."""
    return gpus[_core.current_device(_core.default_target())]


def current_context(devnum=None):
    """The context of the current device, or of device number `devnum`."""
    return Context(get_current_device() if devnum is None else gpus[devnum])


@contextlib.contextmanager
def require_context():
    """For Numba's programs: there always is a context."""
    yield current_context()


def close():
    """Waits for all devices and gives back the memory that is kept for later launches.

    The contexts stay: other libraries share them.
    """
    _core.release_memory(_core.default_target())


@contextlib.contextmanager
def defer_cleanup():
    """For Numba's programs. Device memory is always freed some time after its last array is gone, never by
    stopping the device at each one."""
    yield
