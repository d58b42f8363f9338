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
