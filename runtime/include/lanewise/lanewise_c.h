/* The C interface of Lanewise: compile GPU kernels written in Python syntax and launch them on the CPU or on
 * CUDA. Plain C99, one shared library, stable: structs start with their size and grow at the end only.
 *
 * Every function that can fail returns an lw_status and leaves its results untouched unless that is LW_OK.
 * What went wrong is kept for the calling thread until its next call that returns a status: lw_last_error()
 * is the text, lw_diagnostic_count() and lw_get_diagnostic() are a compiler's diagnostics as data.
 *
 * Devices, streams and memory are in lanewise_c_device.h, which this file includes.
 *
 * Handles may be used from several threads at once; only their release must come last. Compiles and
 * launches run concurrently. No exception leaves the library.
 *
 *   lw_module* module;
 *   if (lw_module_create(text, strlen(text), NULL, &module) != LW_OK) return puts(lw_last_error());
 *   int64_t n = 1000;
 *   float a = 2;
 *   lw_launch_config config = {.struct_size = sizeof config, .grid = {4, 1, 1}, .block = {256, 1, 1}};
 *   lw_argument arguments[] = {{LW_FLOAT32, -1, 0, 0, &a, NULL, NULL, NULL},
 *                              {LW_FLOAT32, 1, LW_READ_ONLY, 0, x, &n, NULL, NULL},
 *                              {LW_FLOAT32, 1, 0, 0, y, &n, NULL, NULL}};
 *   if (lw_module_launch(module, "saxpy", &config, arguments, 3) != LW_OK) puts(lw_last_error());
 *   lw_module_release(module);
 */
#ifndef LANEWISE_LANEWISE_C_H
#define LANEWISE_LANEWISE_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(LANEWISE_BUILDING)
#define LW_API __attribute__((visibility("default")))
#else
#define LW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel file: its text, constants and the specialisations that launches have asked for. */
typedef struct lw_module lw_module;
/* A kernel specialised on its argument types and compiled for one target. */
typedef struct lw_kernel lw_kernel;
/* Memory of a target's device; its functions are in lanewise_c_device.h. */
typedef struct lw_buffer lw_buffer;
/* A text that a function hands over; release it with lw_string_release(). */
typedef struct lw_string lw_string;

typedef int32_t lw_status;
enum {
  LW_OK = 0,
  LW_ERROR_COMPILE = 1, /* the kernel is wrong: see the diagnostics */
  LW_ERROR_LAUNCH = 2,  /* the launch cannot be: grid, argument count, type, rank; nothing has run */
  LW_ERROR_KERNEL = 3,  /* the kernel ended early while it ran, e.g. at a divergent barrier */
  LW_ERROR_CUDA = 4,    /* a driver call failed, or there is no driver or device */
  LW_ERROR_TARGET = 5,  /* the target cannot have what the kernel needs: unknown architecture, no libdevice */
  LW_ERROR_INVALID = 6, /* a wrong call: a null handle, an unknown name or enumerator */
  LW_ERROR_MEMORY = 7,  /* out of memory */
  LW_ERROR_RAISED = 9,  /* a thread ended with `raise` or a failed `assert`: see lw_get_raised() */
  LW_ERROR_INTERNAL = 8 /* a fault of Lanewise itself: please report it */
};

typedef int32_t lw_target;
enum {
  LW_TARGET_DEFAULT = 0, /* LANEWISE_TARGET if set, else CUDA where a usable device is found, else the CPU */
  LW_TARGET_CPU = 1,
  LW_TARGET_CUDA = 2,
  LW_TARGET_INTERPRETER = 3 /* slow: the definition of the language, for tests */
};

typedef int32_t lw_dtype;
enum {
  LW_BOOL = 1, /* one byte, 0 or 1 */
  LW_INT8 = 2,
  LW_INT16 = 3,
  LW_INT32 = 4,
  LW_INT64 = 5,
  LW_UINT8 = 6,
  LW_UINT16 = 7,
  LW_UINT32 = 8,
  LW_UINT64 = 9,
  LW_FLOAT16 = 10,
  LW_FLOAT32 = 11,
  LW_FLOAT64 = 12,
  LW_COMPLEX64 = 13, /* two floats: real, imaginary */
  LW_COMPLEX128 = 14,
  LW_BFLOAT16 = 15, /* the upper half of a float32 */
  LW_NONE = 16,     /* None, in an lw_argument; its other members are 0 */
  LW_TUPLE = 17,    /* in an lw_argument: a tuple of other arguments */
  LW_NAMED = 255    /* any other: lw_argument::element says which */
};

/* ---- about the library and this machine */

/* "0.1.0". */
LW_API const char* lw_version(void);
/* The message of this thread's last failed call, rendered like a compiler's output; "" if the last call
 * succeeded. Valid until the thread's next call that returns a status. */
LW_API const char* lw_last_error(void);
/* What LW_TARGET_DEFAULT means now. LW_ERROR_LAUNCH if LANEWISE_TARGET names no target. */
LW_API lw_status lw_default_target(lw_target* target);
/* One or more lines about the CUDA driver and devices, or what is missing and what to do. Never NULL; lives
 * as long as the process. */
LW_API const char* lw_cuda_report(void);
/* The current CUDA device's compute capability as 10 * major + minor, 0 if there is none. */
LW_API int32_t lw_cuda_compute_capability(void);
/* CPU threads that run blocks. LW_ERROR_LAUNCH unless 1 <= count <= 1024. */
LW_API int32_t lw_num_threads(void);
LW_API lw_status lw_set_num_threads(int32_t count);

/* ---- diagnostics */

typedef int32_t lw_severity;
enum { LW_SEVERITY_ERROR = 0, LW_SEVERITY_WARNING = 1, LW_SEVERITY_PERFORMANCE = 2 };

/* Texts are UTF-8 and valid until the thread's next call that returns a status. */
typedef struct lw_diagnostic {
  size_t struct_size; /* in: sizeof(lw_diagnostic) */
  lw_severity severity;
  uint32_t line, column;         /* one-based; columns count code points. 0: the place is not known */
  uint32_t end_line, end_column; /* where the marked range ends, exclusive */
  const char* id;                /* "unknown-name": stable, for filters */
  const char* file;              /* lw_options::file_name, or of an imported module */
  const char* message;           /* one line, lower case, no final period */
  const char* hint;              /* the way out, "" if there is nothing better than the message */
  const char* rendered;          /* all of it with source line, caret, labels and hint; ends in a newline */
} lw_diagnostic;

/* Diagnostics of this thread's last call: the errors of a failed compile, the warnings of one that
 * succeeded, in order. */
LW_API size_t lw_diagnostic_count(void);
/* Fills `out`. LW_ERROR_INVALID if there is no such index. Keeps the thread's messages and diagnostics. */
LW_API lw_status lw_get_diagnostic(size_t index, lw_diagnostic* out);

/* What a kernel raised. Texts are UTF-8 and valid until the thread's next call that returns a status. */
typedef struct lw_raised {
  size_t struct_size;    /* in: sizeof(lw_raised) */
  const char* exception; /* "ValueError": the name in the kernel's text */
  const char* message;   /* what the kernel said */
  const char* kernel;    /* its name */
  const char* file;      /* of the `raise` or `assert`, "" if not known */
  uint32_t line;         /* one-based, 0 if not known */
  uint32_t reserved;
  int64_t block[3], thread[3]; /* of the first thread, in the order of blocks and threads, that failed */
} lw_raised;

/* After LW_ERROR_RAISED. LW_ERROR_INVALID if this thread's last call failed with another status. Keeps the
 * thread's messages and diagnostics. */
LW_API lw_status lw_get_raised(lw_raised* out);

/* ---- what kernels print, on the CPU and in the interpreter (CUDA's driver writes to C's stdout) */

/* `text` is UTF-8, whole lines of one launch, not ended by a NUL. Called once the kernel has run, by the
 * thread that launched it; while it runs, by any thread but one at a time for a launch, if it prints a lot.
 * Must not launch kernels of its own, nor let an exception out. */
typedef void (*lw_print_function)(void* context, const char* text, size_t length);
/* For the whole process; NULL: C's stdout, as it is at first. */
LW_API lw_status lw_set_print(lw_print_function print, void* context);

/* ---- modules */

/* A module-level constant given from outside, as -DNAME=value of kc; overrides the file's own. */
typedef struct lw_constant {
  const char* name;  /* an identifier */
  const char* value; /* Python text of a constant: "16", "0.5", "True", "np.float32(3)", "(1, 2)" */
} lw_constant;

/* All zeros (and struct_size) is the default. Texts and lists are copied. */
typedef struct lw_options {
  size_t struct_size; /* sizeof(lw_options) */
  lw_target target;
  int32_t sm;                /* CUDA: compute capability, 10 * major + minor, 35 to 121; 0: the device's */
  int32_t fast_math;         /* non-zero: reassociation, approximate functions, no NaN or infinity */
  int32_t no_fma;            /* non-zero: a * b + c is rounded twice */
  int32_t python_float32;    /* non-zero: Python floats are held in 32 bits */
  int32_t performance_notes; /* non-zero: diagnostics of LW_SEVERITY_PERFORMANCE too */
  const char* cpu;           /* CPU: an LLVM CPU name; NULL: this machine's */
  const char* file_name;     /* what diagnostics call the text; NULL: "<string>" */
  const char* signature;     /* types of the kernel it names, or of every kernel if it names none; see
                                lw_compile; NULL: none */
  const lw_constant* constants;
  size_t constant_count;
  const char* const* include_dirs; /* where imported kernel modules are looked for */
  size_t include_dir_count;
  const char* const*
      link_files; /* CUDA: device code that the kernels call: .cu, .ptx, .cubin, .fatbin, .a, .o, .ltoir */
  size_t link_file_count;
  /* Code for CUDA; of the CPU only max_threads matters. Zeros: none. */
  int32_t max_threads, min_blocks; /* launch bounds: of a block; blocks that shall fit a multiprocessor */
  int32_t max_registers;           /* of a thread */
  int32_t cluster[3];              /* blocks of a cluster, x y z, on sm_90 and newer */
  int32_t line_info;               /* non-zero: source lines for profilers */
  int32_t ftz;                     /* non-zero: float32 denormals become zero */
} lw_options;

/* Reads a kernel file. `source` is UTF-8, `length` bytes. `options` may be NULL. Functions are parsed here,
 * types are checked when a kernel is compiled. */
LW_API lw_status lw_module_create(const char* source, size_t length, const lw_options* options,
                                  lw_module** module);
/* The same from a file. LW_ERROR_INVALID if it cannot be read. file_name defaults to the path, and imported
 * modules are looked for beside it too. */
LW_API lw_status lw_module_load(const char* path, const lw_options* options, lw_module** module);
/* NULL is legal. Kernels made from the module stay valid. */
LW_API void lw_module_release(lw_module* module);
/* Kernels of the file, in order of definition; device functions do not count. 0 for NULL. */
LW_API size_t lw_module_kernel_count(const lw_module* module);
/* The kernel's name, owned by the module; NULL if there is no such index. */
LW_API const char* lw_module_kernel_name(const lw_module* module, size_t index);

/* Compiles one kernel. `name`: NULL if the file has just one. `signature`: "saxpy(float32, float32[::1])" or
 * "void(float32, float32[::1])", in Numba's or NumPy's names of types; NULL: lw_options::signature, else the
 * decorator's string, else the annotations; LW_ERROR_COMPILE if there is none of these. */
LW_API lw_status lw_compile(lw_module* module, const char* name, const char* signature, lw_kernel** kernel);
/* PTX of one kernel; needs no GPU and no driver. `sm`: compute capability, 0: lw_options::sm, else 75. */
LW_API lw_status lw_ptx(lw_module* module, const char* name, const char* signature, int32_t sm,
                        lw_string** text);

/* ---- kernels */

/* NULL is legal. */
LW_API void lw_kernel_release(lw_kernel* kernel);
/* The kernel's own name, owned by it; NULL for NULL. */
LW_API const char* lw_kernel_name(const lw_kernel* kernel);

typedef struct lw_parameter {
  size_t struct_size;    /* in: sizeof(lw_parameter) */
  const char* name;      /* "x"; items of tuples are parameters of their own: "t[0]". Owned by the kernel */
  const char* type;      /* "float32", "int", "float32[:, ::1]"; owned by the kernel */
  lw_dtype dtype;        /* of the scalar or of the elements */
  int32_t ndim;          /* -1: a scalar */
  int32_t reads, writes; /* array: whether the kernel does */
} lw_parameter;

/* Arguments that a launch takes. 0 for NULL. */
LW_API size_t lw_kernel_parameter_count(const lw_kernel* kernel);
LW_API lw_status lw_kernel_parameter(const lw_kernel* kernel, size_t index, lw_parameter* out);

typedef int32_t lw_text;
enum {
  LW_TEXT_IR = 0,       /* Lanewise's own IR after all passes */
  LW_TEXT_LLVM = 1,     /* LLVM IR of the kernel's target */
  LW_TEXT_ASSEMBLY = 2, /* CPU: machine code as text */
  LW_TEXT_PTX = 3,
  LW_TEXT_REPORT = 4, /* in words, what the CPU engine made of the kernel: threads that run at once, and what
                        is slower than it looks. It is about the last launch's shape of blocks */
  LW_TEXT_CUDA = 5    /* CUDA C++ of the same kernel */
};
LW_API lw_status lw_kernel_text(const lw_kernel* kernel, lw_text kind, lw_string** text);

/* NUL-terminated, lw_string_size() bytes before it; owned by the string. NULL gives "" and 0. */
LW_API const char* lw_string_data(const lw_string* text);
LW_API size_t lw_string_size(const lw_string* text);
LW_API void lw_string_release(lw_string* text);

/* ---- launches */

typedef struct lw_launch_config {
  size_t struct_size; /* sizeof(lw_launch_config) */
  int64_t grid[3];    /* blocks, x y z: up to 2**31 - 1, 65535, 65535; a zero is legal and runs nothing */
  int64_t block[3];   /* threads of a block, x y z: 1 to 1024 together, z up to 64 */
  int64_t dynamic_shared_bytes;
  void* stream; /* a CUstream as lw_stream_handle() gives it, not an lw_stream; NULL: the default stream;
                   ignored on the CPU */
  /* Of CUDA; LW_ERROR_LAUNCH on other targets unless all are zero. */
  int32_t cluster[3];   /* blocks of a cluster, x y z, on sm_90 and newer; zeros: as the kernel is compiled */
  int32_t has_priority; /* non-zero: `priority` counts, as that of streams */
  int32_t priority;
  int32_t
      overlaps_previous; /* non-zero: may start before the work in front of it on the stream has ended, and
                            waits for that where the kernel says so: programmatic stream serialization */
} lw_launch_config;

/* How large launches can be and should be. */
/* How many blocks of a kernel with a grid barrier can be launched together; the config's block and dynamic
 * shared memory count. */
LW_API lw_status lw_kernel_max_cooperative_blocks(const lw_kernel* kernel, const lw_launch_config* config,
                                                  int64_t* blocks);
/* CUDA: how many blocks a multiprocessor holds at once. LW_ERROR_LAUNCH on other targets. */
LW_API lw_status lw_kernel_max_active_blocks(const lw_kernel* kernel, const lw_launch_config* config,
                                             int64_t* blocks);
/* CUDA: how many clusters of the config's shape the device does at once; 0 if not even one fits. */
LW_API lw_status lw_kernel_max_active_clusters(const lw_kernel* kernel, const lw_launch_config* config,
                                               int64_t* clusters);
/* Threads of a block with which the device is filled best; on the CPU any number will do. */
LW_API lw_status lw_kernel_suggested_block(const lw_kernel* kernel, int64_t dynamic_shared_bytes,
                                           int64_t* threads);

enum {
  LW_READ_ONLY = 1u,     /* array: the memory must not be written; a kernel that would is refused */
  LW_DEVICE = 2u,        /* array: `data` is memory of the target's device (lw_buffer_data), not the host's */
  LW_PYTHON_NUMBER = 4u, /* scalar of dtype LW_BOOL, LW_INT64, LW_UINT64, LW_FLOAT64 or LW_COMPLEX128: a plain
                            Python number, which never widens what it is combined with */
  LW_IN = 8u,  /* array of the host: copied in, never back; what the kernel writes is lost on every target */
  LW_OUT = 16u /* array of the host: copied back, not in; elements that the kernel does not write are
                  undefined. Both or neither: copied in, and back if the kernel writes it */
};

/* One argument. Sizes: shape counts elements, strides count bytes. */
typedef struct lw_argument {
  lw_dtype dtype; /* of the scalar, or of the array's elements */
  int32_t ndim;   /* -1: a scalar, 0 to 8: an array; LW_TUPLE: the number of items */
  uint32_t flags;
  uint32_t reserved;    /* 0 */
  void* data;           /* scalar: its value; array: element [0, ..., 0]; may be NULL if the array is empty;
                           LW_TUPLE: its items, `ndim` lw_arguments */
  const int64_t* shape; /* ndim extents, none negative */
  const int64_t*
      strides; /* ndim strides, any sign, multiples of the element's size; NULL: C order without gaps */
  /* LW_NAMED: the element type as signatures spell it, else NULL. "record(x: float32, n: int16[3])" has the
   * layout of the C struct with these members; "packed record(...)" no gaps; "record(x: float32 @4; 8)" says
   * offsets and size itself. Also "datetime64[ms]", "timedelta64[s]" (an int64), "S8", "U8" (char[8],
   * char32_t[8]), "float32x4" (float[4]). One record is passed as an array of 0 dimensions. Strides of
   * records may be any. LW_TUPLE: "Point(x, y)" makes it a named tuple, NULL a plain one. */
  const char* element;
} lw_argument;

/* Runs the kernel; returns when host arrays hold the results. With only LW_DEVICE arrays on CUDA it returns
 * at once and errors of the run come from lw_synchronize(). Host arrays are used in place on the CPU; on CUDA
 * they are copied in, and back if the kernel writes them.
 * A tuple may also be given item by item, as lw_kernel_parameter() lists them.
 * Arrays must have the parameter's element type and rank. Scalars convert to the parameter's type where the
 * value fits (never float to integer). LW_ERROR_LAUNCH names the kernel and the parameter. */
LW_API lw_status lw_kernel_launch(lw_kernel* kernel, const lw_launch_config* config,
                                  const lw_argument* arguments, size_t argument_count);
/* The same by name. A kernel with types of its own (options, decorator, annotations) is compiled for these;
 * any other is specialised on the arguments' types: the first launch with new ones compiles, later ones find
 * it in the module. `name`: NULL if the file has just one kernel. */
LW_API lw_status lw_module_launch(lw_module* module, const char* name, const lw_launch_config* config,
                                  const lw_argument* arguments, size_t argument_count);
/* The kernel that lw_module_launch would run for these arguments; `data` is not looked at. */
LW_API lw_status lw_module_specialize(lw_module* module, const char* name, const lw_argument* arguments,
                                      size_t argument_count, lw_kernel** kernel);

#include "lanewise/lanewise_c_device.h"

#ifdef __cplusplus
}
#endif

#endif
