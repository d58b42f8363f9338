/* A C program against the installed library: compile, launch, errors as data. */
#include <lanewise/lanewise_c.h>
#include <stdio.h>
#include <string.h>

static const char* const kSource =
    "from lanewise import gpu\n"
    "@gpu.jit\n"
    "def scale(x, f):\n"
    "    i = gpu.grid(1)\n"
    "    if i < x.size:\n"
    "        x[i] *= f\n";

#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      fprintf(stderr, "line %d: %s\n%s\n", __LINE__, #condition, lw_last_error()); \
      return 1;                                                                    \
    }                                                                              \
  } while (0)

int main(void) {
  lw_module* module = NULL;
  lw_options options = {0};
  options.struct_size = sizeof options;
  options.target = LW_TARGET_CPU;
  CHECK(lw_module_create(kSource, strlen(kSource), &options, &module) == LW_OK);
  CHECK(lw_module_kernel_count(module) == 1);
  CHECK(strcmp(lw_module_kernel_name(module, 0), "scale") == 0);

  float x[10], f = 3;
  for (int i = 0; i < 10; ++i) x[i] = (float)i;
  int64_t n = 5, stride = 2 * (int64_t)sizeof(float);
  lw_argument arguments[2] = {{LW_FLOAT32, 1, 0, 0, x, NULL, NULL, NULL},
                              {LW_FLOAT32, -1, 0, 0, NULL, NULL, NULL, NULL}};
  arguments[0].shape = &n;
  arguments[0].strides = &stride;
  arguments[1].data = &f;
  lw_launch_config config = {0};
  config.struct_size = sizeof config;
  for (int i = 0; i < 3; ++i) config.grid[i] = config.block[i] = 1;
  config.block[0] = 32;
  CHECK(lw_module_launch(module, NULL, &config, arguments, 2) == LW_OK);
  for (int i = 0; i < 10; ++i) CHECK(x[i] == (i % 2 ? (float)i : 3 * (float)i));

  CHECK(lw_module_launch(module, "scael", &config, arguments, 2) == LW_ERROR_INVALID);
  CHECK(strstr(lw_last_error(), "`scale`") != NULL);
  CHECK(lw_module_launch(module, "scale", &config, arguments, 1) != LW_OK);

  /* Streams, events and memory; LW_IN keeps what the kernel writes from the host. */
  lw_stream* stream = NULL;
  lw_event *start = NULL, *end = NULL;
  lw_host_memory* host = NULL;
  lw_buffer* buffer = NULL;
  double milliseconds = -1;
  CHECK(lw_stream_create(LW_TARGET_CPU, NULL, &stream) == LW_OK);
  CHECK(lw_event_create(LW_TARGET_CPU, 1, &start) == LW_OK &&
        lw_event_create(LW_TARGET_CPU, 1, &end) == LW_OK);
  CHECK(lw_host_memory_create(LW_TARGET_CPU, sizeof x, NULL, &host) == LW_OK);
  CHECK(lw_buffer_create_async(stream, sizeof x, &buffer) == LW_OK);
  CHECK(lw_event_record(start, stream) == LW_OK);
  CHECK(lw_buffer_write_async(buffer, x, sizeof x, 0, stream) == LW_OK);
  int64_t all = 10;
  lw_argument on_device = {LW_FLOAT32, 1, LW_DEVICE, 0, NULL, NULL, NULL, NULL};
  on_device.data = lw_buffer_data(buffer);
  on_device.shape = &all;
  arguments[0].flags = LW_IN;
  CHECK(lw_module_launch(module, "scale", &config, arguments, 2) == LW_OK);
  arguments[0] = on_device;
  config.stream = lw_stream_handle(stream);
  CHECK(lw_module_launch(module, "scale", &config, arguments, 2) == LW_OK);
  CHECK(lw_buffer_read_async(buffer, lw_host_memory_data(host), sizeof x, 0, stream) == LW_OK);
  CHECK(lw_event_record(end, stream) == LW_OK && lw_stream_synchronize(stream) == LW_OK);
  CHECK(lw_event_elapsed(start, end, &milliseconds) == LW_OK && milliseconds >= 0);
  for (int i = 0; i < 10; ++i) {
    CHECK(x[i] == (i % 2 ? (float)i : 3 * (float)i));
    CHECK(((const float*)lw_host_memory_data(host))[i] == 3 * x[i]);
  }
  lw_buffer_release(buffer);
  lw_host_memory_release(host);
  lw_event_release(start);
  lw_event_release(end);
  lw_stream_release(stream);
  lw_device_info info;
  info.struct_size = sizeof info;
  CHECK(lw_get_device_info(LW_TARGET_CPU, 0, &info) == LW_OK && info.name[0] != 0);
  CHECK(lw_get_device_info(LW_TARGET_CPU, 1, &info) == LW_ERROR_LAUNCH);

  lw_kernel* kernel = NULL;
  CHECK(lw_compile(module, "scale", NULL, &kernel) == LW_ERROR_COMPILE);
  CHECK(kernel == NULL && lw_diagnostic_count() == 1);
  lw_diagnostic diagnostic;
  diagnostic.struct_size = sizeof diagnostic;
  CHECK(lw_get_diagnostic(0, &diagnostic) == LW_OK);
  CHECK(strcmp(diagnostic.id, "no-argument-types") == 0 && diagnostic.line == 3 && diagnostic.column == 5);
  CHECK(lw_get_diagnostic(1, &diagnostic) == LW_ERROR_INVALID);

  lw_string* ptx = NULL;
  CHECK(lw_ptx(module, "scale", "scale(float32[::1], float32)", 90, &ptx) == LW_OK);
  CHECK(strstr(lw_string_data(ptx), ".target sm_90") != NULL);
  CHECK(strlen(lw_string_data(ptx)) == lw_string_size(ptx));
  lw_string_release(ptx);
  lw_module_release(module);
  puts("the C program works");
  return 0;
}
