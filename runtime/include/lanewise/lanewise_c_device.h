/* Devices, streams, events, graphs and memory. Part of lanewise_c.h, which includes this file; what it says
 * of statuses, handles and threads holds here too.
 *
 * On CUDA these are the driver's. On the CPU and in the interpreter the device is this machine, and work is
 * done when the call that starts it returns: streams and events are always done and order nothing, events
 * still measure time, all memory is the host's. The same program runs on each.
 *
 * Work on a stream runs in the order in which it was put there, and beside the host and other streams. What
 * it uses (arrays, host memory, kernels) must live until it is done. Errors of it come from a later call that
 * waits: LW_ERROR_CUDA, or LW_ERROR_RAISED for what a thread raised.
 *
 * Objects of one target are not mixed with another's: LW_ERROR_INVALID. Without a usable driver every call
 * for CUDA is LW_ERROR_CUDA, and lw_cuda_report() says what is missing. LW_ERROR_LAUNCH: there is no such
 * device. */
#ifndef LANEWISE_LANEWISE_C_DEVICE_H
#define LANEWISE_LANEWISE_C_DEVICE_H

#ifndef LANEWISE_LANEWISE_C_H
#error "include <lanewise/lanewise_c.h>"
#endif

/* An order of work on a device. A NULL lw_stream* is the default stream. */
typedef struct lw_stream lw_stream;
/* A point in the work of a stream, and the time when it was reached. */
typedef struct lw_event lw_event;
/* Launches and copies captured from a stream, to be started again with one call. */
typedef struct lw_graph lw_graph;
/* Memory of the host for fast copies, or that kernels use where it is. */
typedef struct lw_host_memory lw_host_memory;

/* What the library calls back. Must not let an exception out. */
typedef void (*lw_callback)(void* context);

/* ---- devices, counted from 0; the CPU is one, number 0 */

LW_API lw_status lw_device_count(lw_target target, int32_t* count);

typedef struct lw_device_info {
  size_t struct_size; /* in: sizeof(lw_device_info) */
  int32_t device;
  int32_t compute_capability; /* 10 * major + minor; 0: not a CUDA device */
  int64_t memory_bytes;
  char name[256];      /* UTF-8, cut to fit */
  char pci_bus_id[32]; /* "0000:65:00.0", "" if there is none */
  uint8_t uuid[16];    /* zeros if the driver does not say */
} lw_device_info;

LW_API lw_status lw_get_device_info(lw_target target, int32_t device, lw_device_info* out);
/* `attribute`: the number of a CUdevice_attribute, e.g. 16 for the multiprocessors. On the CPU those that
 * mean something there (launch limits, lanes of a warp, threads for multiprocessors), 0 for the others. */
LW_API lw_status lw_device_attribute(lw_target target, int32_t device, int32_t attribute, int32_t* value);
/* The calling thread's device, where it allocates, launches and makes streams and events. It is the one that
 * the thread selected, else that of the context which another library made current, else 0. */
LW_API lw_status lw_current_device(lw_target target, int32_t* device);
/* -1: no longer any. */
LW_API lw_status lw_select_device(lw_target target, int32_t device);
/* What the thread selected, -1 if it did not: for going back to it. */
LW_API lw_status lw_selected_device(lw_target target, int32_t* device);
/* `can`: 1 if kernels of one device can use the memory of the other, else 0. Copies between devices work
 * without. */
LW_API lw_status lw_can_access_peer(lw_target target, int32_t device, int32_t peer, int32_t* can);
/* Lets kernels of the current device use the memory of `peer`. Once is enough; the CPU: LW_ERROR_LAUNCH. */
LW_API lw_status lw_enable_peer_access(lw_target target, int32_t peer);
/* Bytes of the current device's memory; of the machine's on the CPU. */
LW_API lw_status lw_memory_info(lw_target target, int64_t* free_bytes, int64_t* total_bytes);
/* Waits for all devices in use and gives back the memory that is kept for later launches. */
LW_API lw_status lw_release_memory(lw_target target);
/* Waits for all work of the target, on CUDA of the current device; reports what went wrong in it. */
LW_API lw_status lw_synchronize(lw_target target);
/* Tell a profiler that waits for it (nsys --capture-range=cudaProfilerApi) to begin and to stop. */
LW_API lw_status lw_start_profiler(lw_target target);
LW_API lw_status lw_stop_profiler(lw_target target);

/* ---- streams */

/* All zeros (and struct_size) is the default. */
typedef struct lw_stream_options {
  size_t struct_size;   /* sizeof(lw_stream_options) */
  int32_t non_blocking; /* non-zero: not ordered with the legacy default stream */
  int32_t priority;     /* of streams with work that could run, the lowest go first; cut to what there is */
} lw_stream_options;

/* A new stream of the current device. `options` may be NULL. */
LW_API lw_status lw_stream_create(lw_target target, const lw_stream_options* options, lw_stream** stream);
/* A stream that others own, which must outlive the result: a CUstream (cudaStream_t), or (void*)0: the
 * current device's default stream, 1: its legacy default stream, 2: the calling thread's own default stream.
 */
LW_API lw_status lw_stream_wrap(lw_target target, void* handle, lw_stream** stream);
/* NULL is legal. Work that is still in the stream runs to its end. */
LW_API void lw_stream_release(lw_stream* stream);
/* The CUstream, for lw_launch_config::stream and other libraries; NULL on the CPU and for NULL. */
LW_API void* lw_stream_handle(const lw_stream* stream);
/* The priorities that there are: 0 and a negative number on most devices, 0 and 0 on the CPU. */
LW_API lw_status lw_stream_priorities(lw_target target, int32_t* lowest, int32_t* highest);
/* Waits until all work of the stream is done; reports what went wrong in it. */
LW_API lw_status lw_stream_synchronize(lw_stream* stream);
/* `done`: 1 if all work of the stream is done, else 0. */
LW_API lw_status lw_stream_is_done(lw_stream* stream, int32_t* done);
/* Work that comes after on the stream waits for the event, which may be of another stream or device. */
LW_API lw_status lw_stream_wait(lw_stream* stream, const lw_event* event);
/* Calls the function once all work before it is done, from a thread of the driver's: it must not use CUDA,
 * nor this library's functions for it. On the CPU it is called at once. It is not called if this call fails,
 * nor after an error that ends the device's work. LW_ERROR_LAUNCH while the stream is captured. */
LW_API lw_status lw_stream_call(lw_stream* stream, lw_callback function, void* context);
/* Launches and copies on the stream go into a graph instead of running, until the end. Their arrays must be
 * in device memory, or in mapped or managed host memory. Launch each kernel once before, so that it is
 * loaded. LW_ERROR_LAUNCH on the CPU, which has no graphs. */
LW_API lw_status lw_stream_begin_capture(lw_stream* stream);
/* Where it fails the stream is usable again. */
LW_API lw_status lw_stream_end_capture(lw_stream* stream, lw_graph** graph);

/* Starts all of the graph on the stream (NULL: the default stream). */
LW_API lw_status lw_graph_launch(lw_graph* graph, lw_stream* stream);
/* NULL is legal. */
LW_API void lw_graph_release(lw_graph* graph);

/* ---- events */

/* Of the current device. `timing`: 0 for one that is cheaper and has no elapsed time. */
LW_API lw_status lw_event_create(lw_target target, int32_t timing, lw_event** event);
/* NULL is legal. */
LW_API void lw_event_release(lw_event* event);
/* The CUevent for other libraries; NULL on the CPU and for NULL. */
LW_API void* lw_event_handle(const lw_event* event);
/* Marks the work that is on the stream (NULL: the default stream) now; what was marked before is forgotten.
 */
LW_API lw_status lw_event_record(lw_event* event, lw_stream* stream);
/* `done`: 1 if the marked work is done or there is none, else 0. */
LW_API lw_status lw_event_is_done(const lw_event* event, int32_t* done);
/* Waits until the marked work is done; reports what went wrong in it. */
LW_API lw_status lw_event_synchronize(const lw_event* event);
/* Milliseconds between two events with timing that are done, `end` after `start`. LW_ERROR_CUDA (on the CPU
 * LW_ERROR_LAUNCH) if they are not. */
LW_API lw_status lw_event_elapsed(const lw_event* start, const lw_event* end, double* milliseconds);

/* ---- device memory: on the CPU host memory, 64-byte aligned; on CUDA the current device's */

/* `bytes` may be 0. The memory is not initialised. */
LW_API lw_status lw_buffer_create(lw_target target, int64_t bytes, lw_buffer** buffer);
/* On the stream's device, for work on the stream, which must not be NULL: where the driver has pools for it
 * without waiting for other work. LW_ERROR_LAUNCH while the stream is captured. */
LW_API lw_status lw_buffer_create_async(lw_stream* stream, int64_t bytes, lw_buffer** buffer);
/* Memory of the target that others own, on whichever device it is. `release` (NULL: none) is called with
 * `context` when the buffer is released, not if this call fails. */
LW_API lw_status lw_buffer_wrap(lw_target target, void* data, int64_t bytes, lw_callback release,
                                void* context, lw_buffer** buffer);
/* NULL is legal. Waits for nothing: kernels that use the memory may still run, and it is freed after them. */
LW_API void lw_buffer_release(lw_buffer* buffer);
/* The address, for lw_argument::data with LW_DEVICE; NULL for NULL. */
LW_API void* lw_buffer_data(const lw_buffer* buffer);
/* Size in bytes; 0 for NULL. */
LW_API int64_t lw_buffer_size(const lw_buffer* buffer);
/* The number of the device that has the memory; 0 on the CPU and for NULL. */
LW_API int32_t lw_buffer_device(const lw_buffer* buffer);
/* Copies `bytes` bytes to or from `offset` bytes into the buffer; ordered after earlier work on the default
 * stream, and done when the call returns. LW_ERROR_INVALID if the range is not inside. */
LW_API lw_status lw_buffer_write(lw_buffer* buffer, const void* source, int64_t bytes, int64_t offset);
LW_API lw_status lw_buffer_read(const lw_buffer* buffer, void* destination, int64_t bytes, int64_t offset);
/* The same in the order of a stream's work. From and to pinned host memory the copy goes on when the call has
 * returned; other memory is read before that, and what is read into it may be there late: wait for the
 * stream.
 */
LW_API lw_status lw_buffer_write_async(lw_buffer* buffer, const void* source, int64_t bytes, int64_t offset,
                                       lw_stream* stream);
LW_API lw_status lw_buffer_read_async(const lw_buffer* buffer, void* destination, int64_t bytes,
                                      int64_t offset, lw_stream* stream);
/* From one buffer to another, which may be of another device of the target. With a stream the copy goes on
 * when the call has returned; without (NULL) it comes after all work of the default streams of both devices,
 * and is done. Ranges of one buffer must not overlap. */
LW_API lw_status lw_buffer_copy(lw_buffer* destination, int64_t destination_offset, const lw_buffer* source,
                                int64_t source_offset, int64_t bytes, lw_stream* stream);

/* With which another process on this machine can open a buffer's memory. */
typedef struct lw_ipc_handle {
  char bytes[64];
} lw_ipc_handle;

/* The buffer must be one of lw_buffer_create, and live while the other process uses it. CUDA only:
 * LW_ERROR_LAUNCH. */
LW_API lw_status lw_buffer_ipc_handle(const lw_buffer* buffer, lw_ipc_handle* handle);
/* On the current device. `bytes`: the size that the buffer has there. */
LW_API lw_status lw_buffer_open_ipc(const lw_ipc_handle* handle, int64_t bytes, lw_buffer** buffer);

/* ---- host memory for devices; on the CPU it is all the same */

typedef int32_t lw_host_memory_kind;
enum {
  LW_PINNED = 0, /* not paged: copies to and from it are fast, and go on beside the host */
  LW_MAPPED = 1, /* pinned, and kernels use it where it is, over the bus */
  LW_MANAGED = 2 /* the driver moves it to where it is used, host or device */
};

/* All zeros (and struct_size) is the default. */
typedef struct lw_host_memory_options {
  size_t struct_size; /* sizeof(lw_host_memory_options) */
  lw_host_memory_kind kind;
  int32_t portable;       /* non-zero: for all devices, not the current one alone */
  int32_t write_combined; /* non-zero: fast for the device to read, slow for the host; not for LW_MANAGED */
  int32_t attach_host;    /* LW_MANAGED, non-zero: no stream may use it, until another library attaches it */
} lw_host_memory_options;

/* Pass the memory to launches as host arrays (without LW_DEVICE). Those in mapped or managed memory are not
 * copied, and a launch does not wait for them: wait before you read what a kernel wrote. `options` may be
 * NULL. `bytes` may be 0. The memory is not initialised. */
LW_API lw_status lw_host_memory_create(lw_target target, int64_t bytes, const lw_host_memory_options* options,
                                       lw_host_memory** memory);
/* Makes memory of the caller's pinned or mapped until the result is released. */
LW_API lw_status lw_host_memory_register(lw_target target, void* data, int64_t bytes,
                                         const lw_host_memory_options* options, lw_host_memory** memory);
/* NULL is legal. Waits for the device. */
LW_API void lw_host_memory_release(lw_host_memory* memory);
/* NULL for NULL. */
LW_API void* lw_host_memory_data(const lw_host_memory* memory);
/* Size in bytes; 0 for NULL. */
LW_API int64_t lw_host_memory_size(const lw_host_memory* memory);

#endif
