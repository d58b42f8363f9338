"""Streams, events and graphs.

On CUDA they are the driver's. On the CPU work is done when the call that starts it returns: streams and events
are always done, events still measure time, and callbacks are called at once.
"""

import collections
import contextlib
import itertools
import operator
import os
import sys
import threading

from .. import _core
from ..errors import LaunchTypeError, LaunchValueError


class _Callbacks:
    """Functions that streams will call: the driver says when they are due, a thread of ours calls them."""

    def __init__(self):
        self._functions = {}
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._thread = None
        self._process = None

    def add(self, function):
        with self._lock:
            number = next(self._numbers)
            self._functions[number] = function
            if self._thread is None or self._process != os.getpid():
                self._process = os.getpid()
                self._thread = threading.Thread(target=self._run, name="lanewise-callbacks", daemon=True)
                self._thread.start()
        return number

    def discard(self, number):
        with self._lock:
            self._functions.pop(number, None)

    def is_this_thread(self):
        return threading.current_thread() is self._thread

    def _run(self):
        while True:
            number = _core.next_callback()
            with self._lock:
                function = self._functions.pop(number, None)
            if function is not None:
                function()
                del function  # what it holds must not live until the next one comes


_callbacks = _Callbacks()


def _call_guarded(callback, stream, arg):
    try:
        callback(stream, 0, arg)
    except BaseException as error:
        if stream.target != "cuda" and not isinstance(error, Exception):
            raise  # Ctrl-C in the caller's own thread
        # Whatever it is, later callbacks must come.
        threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))


class Stream:
    """An order of work on a device: launches and copies on one stream run one after the other.

    Made by gpu.stream() and its kin. Give it to a launch, `kernel[grid, block, stream](...)`, or to copies. Equal to
    another one of the same handle; int(stream) is the handle, a CUstream.
    """

    def __init__(self, core, kind):
        self._core = core
        self._kind = kind
        self._pending = collections.deque()  # events of callbacks that may still come

    handle = property(lambda self: self._core.handle, doc="The CUstream as a number, for other libraries.")
    target = property(lambda self: self._core.target)

    def __int__(self):
        return self.handle

    def __bool__(self):
        return self.handle != 0

    def __eq__(self, other):
        return isinstance(other, Stream) and (self.handle, self.target) == (other.handle, other.target)

    def __hash__(self):
        return hash((self.handle, self.target))

    def __repr__(self):
        return f"<{self._kind} {self.handle:#x} on {self.target}>"

    def __cuda_stream__(self):
        """CUDA's protocol for streams: (version, handle)."""
        return 0, self.handle

    def synchronize(self):
        """Waits until all work of the stream is done, its callbacks too; raises what went wrong in it."""
        self._core.synchronize()
        if not _callbacks.is_this_thread():
            for done in tuple(self._pending):
                done.wait()

    def query(self):
        """Whether all work of the stream is done."""
        return self._core.is_done()

    @contextlib.contextmanager
    def auto_synchronize(self):
        """Waits for the stream at the end of the block: `with stream.auto_synchronize(): ...`."""
        try:
            yield self
        finally:
            self.synchronize()

    def wait(self, event):
        """Work that comes after on this stream waits for the event."""
        self._core.wait(_event("Stream.wait", event)._core)

    def add_callback(self, callback, arg=None):
        """Calls callback(stream, 0, arg) once all work before it is done, from another thread.

        What it raises is given to threading.excepthook, which prints it: there is nobody to raise it to.
        """
        if not callable(callback):
            raise LaunchTypeError(f"add_callback: a callable is needed, not {callback!r}")
        if self.target != "cuda":
            _call_guarded(callback, self, arg)
            return
        done = threading.Event()

        def call():
            try:
                _call_guarded(callback, self, arg)
            finally:
                done.set()
                with contextlib.suppress(ValueError):
                    self._pending.remove(done)

        number = _callbacks.add(call)
        self._pending.append(done)
        try:
            self._core.post_callback(number)
        except BaseException:
            _callbacks.discard(number)
            self._pending.remove(done)
            raise

    def async_done(self):
        """An awaitable that is done when all work of the stream so far is: `await stream.async_done()`."""
        import asyncio  # takes longer to import than all of this package

        loop = asyncio.get_running_loop()
        future = loop.create_future()

        def set_result():
            if not future.done():
                future.set_result(self)

        def tell_loop(stream, status, arg):
            with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits any more
                loop.call_soon_threadsafe(set_result)

        self.add_callback(tell_loop)
        return future

    @contextlib.contextmanager
    def capture(self):
        """Collects the launches and copies of the block in a graph instead of running them:

            with stream.capture() as graph:
                kernel[grid, block, stream](x)      # arrays in device memory
            graph.launch(stream)

        The graph keeps the kernels and the device arrays; host arrays of its copies must live as long.
        """
        graph = Graph()
        self._core.begin_capture()
        try:
            yield graph
        except BaseException:
            with contextlib.suppress(Exception):
                self._core.end_capture()  # the stream is usable again
            raise
        graph._core = self._core.end_capture()


class Graph:
    """Launches and copies captured by Stream.capture, to be started again with one call."""

    def __init__(self):
        self._core = None

    def launch(self, stream=0):
        """Puts all of it on the stream."""
        if self._core is None:
            raise RuntimeError("the graph is not captured yet")
        self._core.launch(handle_of(stream, "Graph.launch", "cuda"))


class Event:
    """A point in the work of a stream, and the time when it was reached."""

    def __init__(self, core):
        self._core = core

    handle = property(lambda self: self._core.handle, doc="The CUevent as a number, for other libraries.")
    target = property(lambda self: self._core.target)

    def record(self, stream=0):
        """Marks the work that is on the stream now."""
        self._core.record(handle_of(stream, "Event.record", self.target))

    def wait(self, stream=0):
        """Makes work that comes after on the stream wait for the event."""
        if isinstance(stream, Stream):
            stream._core.wait(self._core)
        else:
            _core.existing_stream(self.target, handle_of(stream, "Event.wait", self.target)).wait(self._core)

    def query(self):
        """Whether the marked work is done; True if there is none."""
        return self._core.is_done()

    def synchronize(self):
        """Waits until the marked work is done."""
        self._core.synchronize()

    def elapsed_time(self, event_end):
        """Milliseconds from this event to a later one; both must be done."""
        return _event("elapsed_time", event_end)._core.milliseconds_since(self._core)


def _event(who, event):
    if not isinstance(event, Event):
        raise LaunchTypeError(f"{who}: an event is needed (gpu.event()), not {event!r}")
    return event


def handle_of(stream, who, target):
    """The CUstream of what users give as a stream: 0, None, a number, a Stream or another library's."""
    return stream if type(stream) is int and stream == 0 else _core.stream_handle(who, stream, target)


def stream(non_blocking=False, priority=0, target=None):
    """A new stream of the current device.

    It is ordered with the legacy default stream, unless non_blocking. Of streams with work that could run, those
    with the lowest `priority` go first.
    """
    try:
        priority = operator.index(priority)
    except TypeError:
        raise LaunchTypeError(f"stream: the priority must be an int, not {priority!r}") from None
    if not -(2**31) <= priority < 2**31:
        raise LaunchValueError(f"stream: there is no priority {priority}")
    return Stream(_core.make_stream(target, bool(non_blocking), priority), "stream")


def default_stream(target=None):
    """The stream of launches and copies that name none."""
    return Stream(_core.existing_stream(target, 0), "default stream")


def legacy_default_stream(target=None):
    """The default stream that waits for all other streams of the device, and they for it."""
    return Stream(_core.existing_stream(target, 1), "legacy default stream")


def per_thread_default_stream(target=None):
    """The default stream of the calling thread alone."""
    return Stream(_core.existing_stream(target, 2), "per-thread default stream")


def external_stream(ptr, target=None):
    """Another library's stream, from its handle; it must outlive the result."""
    return Stream(_core.existing_stream(target, handle_of(ptr, "external_stream", target)), "external stream")


def event(timing=True, target=None):
    """A new event; timing=False is cheaper and has no elapsed_time."""
    return Event(_core.make_event(target, bool(timing)))


def event_elapsed_time(evtstart, evtend):
    """Milliseconds between two events that are done."""
    return _event("event_elapsed_time", evtstart).elapsed_time(evtend)


def profile_start(target=None):
    """Tells a profiler that waits for it (nsys --capture-range=cudaProfilerApi) to begin."""
    _core.start_profiler(target)


def profile_stop(target=None):
    """Tells the profiler to stop."""
    _core.stop_profiler(target)


@contextlib.contextmanager
def profiling(target=None):
    """profile_start() and profile_stop() around a block."""
    profile_start(target)
    try:
        yield
    finally:
        profile_stop(target)
