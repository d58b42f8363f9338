// How exact the elementary functions are: runs each through the C++ door on one target and prints, one line a
// function, tab separated, the largest error in ulp and where it is.
//
//   accuracy_measure [--target cpu|cuda|interpreter] [--type f16|f32|f64] [--function OP]... [--count N |
//   --all | --survey]
//                    [--stride S] [--seed S] [--fast-math] [--limit ULP] [--cpu NAME] [--list]
//
// --all takes every float16 or float32 for functions of one operand (with --stride S every Sth); --survey
// takes every float32 too, but compares exactly only what may be worst (survey.h). --list names the functions
// that the type has. --limit makes a larger error the exit status. Columns: op, type, target, mode, inputs,
// ulp, x, y, got, exact.
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <string>

#include "lanewise/lanewise.h"
#include "references.h"
#include "samples.h"
#include "survey.h"
#include "ulp.h"

namespace accuracy {
namespace {

struct Settings {
  std::string target = "cpu", type = "f32", cpu;
  std::vector<std::string> ops;
  size_t count = 1 << 16, stride = 1;
  bool all = false, survey = false, fast_math = false, list = false;
  uint64_t seed = 1;
  double limit = std::numeric_limits<double>::infinity();
};

struct Worst {
  double ulp = -1, x = 0, y = 0, got = 0, exact = 0;
  uint64_t inputs = 0;
};

constexpr size_t kChunk = size_t{1} << 20;

lanewise::Options options_of(const Settings& settings) {
  lanewise::Options options;
  options.target = settings.target == "cpu"    ? lanewise::Target::Cpu
                   : settings.target == "cuda" ? lanewise::Target::Cuda
                                               : lanewise::Target::Interpreter;
  options.fast_math = settings.fast_math;
  options.cpu = settings.cpu;
  return options;
}

template <class F>
std::string_view name_of(const Function& f) {
  return sizeof(F) == 2 ? f.in_float16 : sizeof(F) == 4 ? f.in_float32 : f.in_float64;
}

std::string kernel_text(const Function& f, std::string_view name) {
  std::string arguments = f.operands == 1 ? "x[i]" : "x[i], y[i]";
  return "import math\nimport numpy\nfrom lanewise import gpu\n\n@gpu.jit\ndef kernel(x, y, out):\n"
         "    i = gpu.grid(1)\n    if i < out.size:\n        out[i] = " +
         std::string(name) + "(" + arguments + ")\n";
}

// With fast math only numbers and results that are neither tiny nor infinite count, and angles within a turn.
template <class F, class W>
bool in_useful_range(const Function& f, F x, F y, W exact) {
  auto good = [](double v) {
    return std::isfinite(v) && std::fabs(v) >= std::ldexp(1.0, Format<F>::kMinExponent);
  };
  if (!good(static_cast<double>(x)) ||
      (f.operands == 2 && !f.integer_second && !good(static_cast<double>(y))))
    return false;
  if (!good(static_cast<double>(static_cast<F>(exact)))) return false;
  bool angle = f.op == "sin" || f.op == "cos" || f.op == "tan";
  return !angle || std::fabs(static_cast<double>(x)) <= 3.14159265;
}

template <class F>
void measure_chunk(const Settings& settings, const Function& f, const lanewise::Module& module, Samples<F> in,
                   Worst& worst) {
  std::vector<F> out(in.size());
  auto blocks = static_cast<int64_t>((in.size() + 127) / 128);
  if (f.integer_second) {
    module.launch("kernel", {blocks}, {128}, in.x, in.n, out);
  } else {
    if (f.operands == 1) in.y.resize(1);
    module.launch("kernel", {blocks}, {128}, in.x, in.y, out);
  }
  using W = typename Format<F>::Wide;
  for (size_t i = 0; i < in.size(); ++i) {
    F y = f.operands == 1 || f.integer_second ? F(0) : in.y[i];
    double second = f.integer_second ? in.n[i] : static_cast<double>(y);
    W exact = reference(f.op, static_cast<W>(in.x[i]), static_cast<W>(second));
    if (settings.fast_math && !in_useful_range(f, in.x[i], y, exact)) continue;
    ++worst.inputs;
    double error = ulp_error(out[i], exact);
    if (error > worst.ulp)
      worst = {error,
               static_cast<double>(in.x[i]),
               second,
               static_cast<double>(out[i]),
               static_cast<double>(exact),
               worst.inputs};
  }
}

template <class F>
Worst measure(const Settings& settings, const Function& f) {
  lanewise::Module module = lanewise::compile(kernel_text(f, name_of<F>(f)), options_of(settings));
  Worst worst;
  constexpr int kBits = sizeof(F) * 8;
  if (settings.survey && kBits == 32) {
    survey_every_float(f, options_of(settings), [&](const std::vector<uint32_t>& bits) {
      Samples<F> samples;
      for (uint32_t word : bits) samples.x.push_back(static_cast<F>(std::bit_cast<float>(word)));
      measure_chunk(settings, f, module, std::move(samples), worst);
      return worst.ulp;
    });
    worst.inputs = uint64_t{1} << 32;
    return worst;
  }
  if ((settings.all || kBits == 16) && f.operands == 1 && kBits <= 32) {
    uint64_t end = uint64_t{1} << (kBits & 63);
    uint64_t left = (end + settings.stride - 1) / settings.stride, first = 0;
    for (uint64_t step = settings.stride; left > 0; left -= std::min<uint64_t>(kChunk, left)) {
      measure_chunk(settings, f, module, bit_patterns<F>(first, step, std::min<uint64_t>(kChunk, left)),
                    worst);
      first += kChunk * step;
    }
  } else {
    measure_chunk(settings, f, module,
                  make_samples<F>(f.operands, f.integer_second, settings.count, settings.seed), worst);
  }
  return worst;
}

Worst measure(const Settings& settings, const Function& f) {
  if (settings.type == "f16") return measure<_Float16>(settings, f);
  return settings.type == "f32" ? measure<float>(settings, f) : measure<double>(settings, f);
}

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    auto next = [&]() -> std::string {
      if (i + 1 >= argc) throw std::runtime_error(name + " needs a value");
      return argv[++i];
    };
    if (name == "--target")
      settings.target = next();
    else if (name == "--type")
      settings.type = next();
    else if (name == "--function")
      settings.ops.push_back(next());
    else if (name == "--count")
      settings.count = std::stoull(next());
    else if (name == "--stride")
      settings.stride = std::stoull(next());
    else if (name == "--seed")
      settings.seed = std::stoull(next());
    else if (name == "--limit")
      settings.limit = std::stod(next());
    else if (name == "--cpu")
      settings.cpu = next();
    else if (name == "--all")
      settings.all = true;
    else if (name == "--survey")
      settings.survey = true;
    else if (name == "--list")
      settings.list = true;
    else if (name == "--fast-math")
      settings.fast_math = true;
    else
      throw std::runtime_error("unknown option " + name);
  }
  return settings;
}

int run(int argc, char** argv) {
  Settings settings = parse(argc, argv);
  bool good = true;
  for (const Function& f : functions()) {
    bool wanted = settings.ops.empty();
    for (const std::string& op : settings.ops) wanted = wanted || op == f.op;
    if (!wanted) continue;
    if (settings.survey && f.operands != 1) continue;
    if ((settings.type == "f16" ? f.in_float16 : f.in_float32).empty()) continue;
    if (settings.list) {
      std::printf("%s\n", std::string(f.op).c_str());
      continue;
    }
    Worst worst = measure(settings, f);
    std::printf("%s\t%s\t%s\t%s\t%" PRIu64 "\t%.4g\t%.17g\t%.17g\t%.17g\t%.17g\n", std::string(f.op).c_str(),
                settings.type.c_str(), settings.target.c_str(), settings.fast_math ? "fast" : "exact",
                worst.inputs, worst.ulp, worst.x, worst.y, worst.got, worst.exact);
    std::fflush(stdout);
    good = good && worst.ulp <= settings.limit;
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace accuracy

int main(int argc, char** argv) {
  try {
    return accuracy::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
