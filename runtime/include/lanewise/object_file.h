/* Kernels in object files that `kc --emit obj -o saxpy.o` writes: how C and C++ programs call them. Nothing
 * but this header, the object file and the C library (-lm) is needed.
 *
 *   LW_OBJECT_KERNEL(saxpy)
 *   ...
 *   uint64_t parameters[] = {lw_float(2.5f), lw_pointer(x), n, lw_pointer(y), n};
 *   int32_t grid[3] = {blocks, 1, 1}, block[3] = {256, 1, 1};
 *   int64_t error = lw_object_run(saxpy, &saxpy_layout, parameters, grid, block, 0);
 *
 * Blocks of the shapes that kc was told with --block run 32 threads at a time, all others one thread after
 * the other. A program that spreads blocks over its own threads calls the kernel itself, for some blocks and
 * with an arena for each of its threads. */
#ifndef LANEWISE_OBJECT_FILE_H
#define LANEWISE_OBJECT_FILE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A thread prints (`raises` is 0) or raises (1), which ends it. `values`: a word for each of them. */
typedef void (*lw_object_output)(void* context, int64_t raises, int64_t block, int64_t thread,
                                 const uint64_t* values);

typedef struct lw_object_launch {
  /* A word for each parameter of the kernel as `kc --emit ir` shows it: numbers in the low bytes; of an array
   * its address, and after it its extents (and, if it may have any layout, its strides in
   * elements). */
  const uint64_t* parameters;
  int32_t grid[3];  /* blocks, x y z, each at least 1 */
  int32_t block[3]; /* threads of a block, x y z, each at least 1, 1024 together at most */
  int64_t dynamic_shared_bytes;
  lw_object_output output; /* of kernels that print or raise */
  void* output_context;
  void* reserved[2]; /* NULL */
} lw_object_launch;

/* Runs `count` blocks from number `first` on (x fastest), one after the other. `arena`: scratch memory of
 * lw_object_arena_bytes(), aligned to 64 bytes, that no other call uses meanwhile. Returns 0, or another
 * number if the stack was not enough or a barrier was left out. */
typedef int64_t (*lw_object_kernel)(const lw_object_launch* launch, char* arena, int64_t first,
                                    int64_t count);

typedef struct lw_object_layout {
  int64_t shared_bytes, context_bytes_per_thread;
} lw_object_layout;

#ifdef __cplusplus
#define LW_OBJECT_C extern "C"
#else
#define LW_OBJECT_C extern
#endif

/* Declares a kernel. */
#define LW_OBJECT_KERNEL(name)                                                                         \
  LW_OBJECT_C int64_t name(const lw_object_launch* launch, char* arena, int64_t first, int64_t count); \
  LW_OBJECT_C const lw_object_layout name##_layout;

static inline uint64_t lw_pointer(const void* pointer) { return (uint64_t)(uintptr_t)pointer; }
static inline uint64_t lw_float(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}
static inline uint64_t lw_double(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static inline int64_t lw_object_arena_bytes(const lw_object_layout* layout, int64_t threads_of_a_block,
                                            int64_t dynamic_shared_bytes) {
  int64_t shared = (layout->shared_bytes + 63) / 64 * 64, dynamic = (dynamic_shared_bytes + 63) / 64 * 64;
  return shared + dynamic + 256 + (threads_of_a_block + 63) / 64 * 64 * layout->context_bytes_per_thread;
}

static inline void lw_object_note(void* context, int64_t raises, int64_t block, int64_t thread,
                                  const uint64_t* values) {
  (void)block, (void)thread, (void)values;
  if (raises) *(int*)context = 1;
}

/* The whole grid, on the calling thread; what it prints is discarded. -1: no memory; -2: no such grid; -3: a
 * thread raised. */
static inline int64_t lw_object_run(lw_object_kernel kernel, const lw_object_layout* layout,
                                    const uint64_t* parameters, const int32_t grid[3], const int32_t block[3],
                                    int64_t dynamic_shared_bytes) {
  lw_object_launch launch;
  int64_t blocks = 1, threads = 1, result;
  char* arena;
  int i, raised = 0;
  memset(&launch, 0, sizeof launch);
  launch.parameters = parameters;
  launch.dynamic_shared_bytes = dynamic_shared_bytes;
  launch.output = lw_object_note;
  launch.output_context = &raised;
  for (i = 0; i < 3; ++i) {
    if (grid[i] < 1 || block[i] < 1 || block[i] > 1024 || blocks > INT64_MAX / grid[i]) return -2;
    launch.grid[i] = grid[i], launch.block[i] = block[i];
    blocks *= grid[i], threads *= block[i];
  }
  if (threads > 1024 || dynamic_shared_bytes < 0) return -2;
  arena = (char*)malloc((size_t)lw_object_arena_bytes(layout, threads, dynamic_shared_bytes) + 64);
  if (!arena) return -1;
  result = kernel(&launch, arena + (64 - (uintptr_t)arena % 64), 0, blocks);
  free(arena);
  return result == 0 && raised ? -3 : result;
}

#endif
