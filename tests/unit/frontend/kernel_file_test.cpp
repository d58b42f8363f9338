// What the names of a kernel file mean: constants, imports, functions, host code.
#include <gtest/gtest.h>

#include <map>

#include "frontend/kernel_file.h"
#include "tests/unit/frontend/frontend_support.h"

namespace lanewise::frontend {
namespace {

std::string show_value(const HostValue& value);

struct Show {
  std::string operator()(const HostValue::None&) const { return "None"; }
  std::string operator()(bool b) const { return b ? "True" : "False"; }
  std::string operator()(const HostValue::Int& i) const {
    return i.is_uint64 ? std::to_string(static_cast<uint64_t>(i.value)) : std::to_string(i.value);
  }
  std::string operator()(double d) const {
    std::string text = std::to_string(d);
    while (text.ends_with('0')) text.pop_back();
    return text;
  }
  std::string operator()(const HostValue::Time& t) const {
    return std::to_string(t.value) + " " + to_string(t.type);
  }
  std::string operator()(const HostValue::Typed& t) const {
    auto* d = std::get_if<double>(&t.value);
    return ir::to_string(t.type) + ":" + (d ? (*this)(*d) : std::to_string(std::get<int64_t>(t.value)));
  }
  std::string operator()(const HostValue::Complex& c) const {
    return "complex(" + (*this)(c.real) + ", " + (*this)(c.imag) + ")";
  }
  std::string operator()(const std::string& s) const { return "'" + s + "'"; }
  std::string operator()(const HostValue::DType& d) const {
    return (d.python ? "python " : "dtype ") + ir::to_string(d.type.scalar);
  }
  std::string operator()(const HostValue::Builtin& b) const { return "<" + b.name + ">"; }
  std::string operator()(const HostValue::Tuple& t) const {
    std::string out;
    for (const HostValue& item : t.items) out += (out.empty() ? "" : ", ") + show_value(item);
    return "(" + out + ")";
  }
  std::string operator()(const HostValue::TupleClass& c) const { return "class " + c.names.name(); }
  std::string operator()(const HostValue::Partial&) const { return "partial"; }
  std::string operator()(const HostValue::Slice&) const { return "slice"; }
  std::string operator()(const HostValue::Later&) const { return "later"; }
  std::string operator()(const HostValue::Namespace& n) const {
    std::string out;
    for (const std::string& name : n.environment->names()) out += " " + name;
    return "module:" + out;
  }
  std::string operator()(const HostValue::Function& f) const {
    return (f->is_kernel ? "kernel " : "function ") + f->name + (f->environment ? "" : " without names");
  }
  std::string operator()(const HostValue::Array& a) const {
    std::string out = to_string(a->element);
    for (int64_t extent : a->shape) out += "[" + std::to_string(extent) + "]";
    for (const HostValue& item : array_items(*a)) out += " " + spell(item);
    return out;
  }
  std::string operator()(const std::shared_ptr<const CudaFunction>&) const { return "CUDA C++"; }
  std::string operator()(const HostValue::Unsupported& u) const { return "! " + u.what; }
};

std::string show_value(const HostValue& value) { return std::visit(Show{}, value.value); }

// A kernel file, and the modules it may import.
struct File : Source {
  explicit File(std::string text, std::map<std::string, std::string> others = {},
                std::map<std::string, HostValue> constants = {})
      : Source(std::move(text)), modules(std::move(others)) {
    FileOptions options;
    options.constants = std::move(constants);
    options.context = this;
    options.read_module = [](const std::string& name, void* context) -> std::optional<uint32_t> {
      auto& self = *static_cast<File*>(context);
      ++self.reads;
      auto found = self.modules.find(name);
      if (found == self.modules.end()) return std::nullopt;
      return self.sources.add({name, found->second});
    };
    opened = open_kernel_file(sources, file, options, diagnostics);
  }
  std::optional<HostValue> find(const std::string& name) const { return opened.environment->lookup(name); }
  std::string operator[](const std::string& name) const {
    std::optional<HostValue> value = find(name);
    return value ? show_value(*value) : "undefined";
  }
  // The line that explains why a name has no value.
  uint32_t line(const std::string& name) const {
    return sources.position(std::get<HostValue::Unsupported>(find(name)->value).range).line;
  }

  std::map<std::string, std::string> modules;
  int reads = 0;
  KernelFile opened;
};

TEST(KernelFile, Constants) {
  File f(
      "import math\nimport numpy as np\nTILE = 16\nN: int = 2 * TILE\nPI2 = 2 * math.pi\nA, (B, *C) = 1, (2, "
      "3, 4)\nD = E = 'x'\n"
      "F = np.float32(3)\nG = F * 0.5\nH = [1, 2] + [3]\nI = TILE if TILE > 8 else -1\nJ = 0 < TILE <= 16 "
      "and not False\n"
      "K = (1, 2, 3)[-1]\nL = None\nM: int\nO = A\nO += 5\n(P) = 7\n");
  EXPECT_EQ(f.problems(), "");
  EXPECT_EQ(f["TILE"], "16");
  EXPECT_EQ(f["N"], "32");
  EXPECT_EQ(f["PI2"], "6.283185");
  EXPECT_EQ(f["A"] + f["B"] + f["C"], "12(3, 4)");
  EXPECT_EQ(f["D"] + f["E"], "'x''x'");
  EXPECT_EQ(f["F"] + " " + f["G"], "f32:3. f32:1.5");
  EXPECT_EQ(f["H"], "(1, 2, 3)");
  EXPECT_EQ(f["I"], "16");
  EXPECT_EQ(f["J"], "True");
  EXPECT_EQ(f["K"], "3");
  EXPECT_EQ(f["L"], "None");
  EXPECT_EQ(f["M"], "undefined");
  EXPECT_EQ(f["O"], "! assigned twice with different values");
  EXPECT_EQ(f["P"], "7");
  EXPECT_EQ(f["missing"], "undefined");
}

TEST(KernelFile, CallsInConstants) {
  File f(
      "import math, numpy as np\nA = int(3.9), float(2), bool(0), int()\nB = min(3, 1.5), max((1, 7)), "
      "abs(-4), len((1, 2)), round(2.5), sum((1, 2)), pow(2, 5)\n"
      "C = math.sqrt(16), math.floor(-1.5), math.ceil(1.2), math.trunc(-1.9), math.gcd(12, 18), "
      "math.isqrt(99), math.log(8, 2)\n"
      "D = np.sqrt(4), np.uint8(7), np.dtype('f4'), np.dtype(np.int16)\nE = divmod(-7, 2)\nF = "
      "math.sqrt(-1)\nG = math.exp(1000)\n"
      "H = 2**64 - 1\nI = (1 << 64) // 3\nJ = 2**64\nK = np.int8(300)\nL = open('x')\nM = 1 // 0\n");
  EXPECT_EQ(f["A"], "(3, 2., False, 0)");
  EXPECT_EQ(f["B"], "(1.5, 7, 4, 2, 2, 3, 32)");
  EXPECT_EQ(f["C"], "(4., -2, 2, -1, 6, 9, 3.)");
  EXPECT_EQ(f["D"], "(f64:2., u8:7, dtype f32, dtype i16)");
  EXPECT_EQ(f["E"], "(-4, 1)");
  EXPECT_EQ(f["H"], "18446744073709551615");
  EXPECT_EQ(f["I"], "6148914691236517205");
  EXPECT_EQ(f["J"], "! an int of more than 64 bits");
  for (const char* name : {"F", "G", "K", "L", "M"}) EXPECT_EQ(f[name], "! computed by host code") << name;
}

TEST(KernelFile, ArraysInConstants) {
  File f(
      "import math\nimport numpy as np\nN = 3\nA = np.array([1, 2, N])\nB = np.array(((1, 2.5), (True, "
      "-1)))\n"
      "C = np.array([1, 2], np.uint8)\nD = np.asarray([0.1], dtype='f4')\nE = np.zeros((2, 2), "
      "dtype=np.int16)\n"
      "F = np.ones(2)\nG = np.full(2, 7)\nH = np.arange(4)\nI = np.arange(1, 2, 0.25)\nJ = np.linspace(0, 1, "
      "5)\n"
      "K = np.array([1j, 2], np.complex64)\nL = np.array([True, False])\nM = np.array([])\n"
      "O = np.array([math.sin(i) for i in range(2)], np.float32)\nP = np.arange(5, 0, -2, dtype=np.int8)\n"
      "Q = np.array([258, 2.5]).astype(np.int16), len(B), B.shape, B.size, B.ndim, A.dtype\n"
      "R = np.array([np.float32(1), np.float32(2)])\nS = np.full((2,), True)\nT = np.array(A, np.float64)\n"
      "U = np.float16(0.5)\nV = np.array([U])\nW = np.array(5)\n");
  EXPECT_EQ(f.problems(), "");
  EXPECT_EQ(f["A"], "int64[3] int64(1) int64(2) int64(3)");
  EXPECT_EQ(f["B"], "float64[2][2] float64(1.0) float64(2.5) float64(1.0) float64(-1.0)");
  EXPECT_EQ(f["C"], "uint8[2] uint8(1) uint8(2)");
  EXPECT_EQ(f["D"], "float32[1] float32(0.10000000149011612)");
  EXPECT_EQ(f["E"], "int16[2][2] int16(0) int16(0) int16(0) int16(0)");
  EXPECT_EQ(f["F"], "float64[2] float64(1.0) float64(1.0)");
  EXPECT_EQ(f["G"], "int64[2] int64(7) int64(7)");
  EXPECT_EQ(f["H"], "int64[4] int64(0) int64(1) int64(2) int64(3)");
  EXPECT_EQ(f["I"], "float64[4] float64(1.0) float64(1.25) float64(1.5) float64(1.75)");
  EXPECT_EQ(f["J"], "float64[5] float64(0.0) float64(0.25) float64(0.5) float64(0.75) float64(1.0)");
  EXPECT_EQ(f["K"].substr(0, 12), "complex64[2]");
  EXPECT_EQ(f["L"], "bool[2] True False");
  EXPECT_EQ(f["M"], "float64[0]");
  EXPECT_EQ(f["O"], "float32[2] float32(0.0) float32(0.8414709568023682)");
  EXPECT_EQ(f["P"], "int8[3] int8(5) int8(3) int8(1)");
  EXPECT_EQ(f["Q"], "(int16[2] int16(258) int16(2), 2, (2, 2), 4, 2, dtype i64)");
  EXPECT_EQ(f["R"], "float32[2] float32(1.0) float32(2.0)");
  EXPECT_EQ(f["S"], "bool[2] True True");
  EXPECT_EQ(f["T"], "float64[3] float64(1.0) float64(2.0) float64(3.0)");
  EXPECT_EQ(f["V"], "float16[1] float16(0.5)");
  EXPECT_EQ(f["W"], "int64 int64(5)");
}

TEST(KernelFile, ArraysThatHostCodeMakes) {
  File f(
      "import numpy as np\nA = np.array([1, (2, 3)])\nB = np.array([[1, 2], [3]])\nC = np.array(['x'])\n"
      "D = np.array([300], np.uint8)\nE = np.zeros(-1)\nF = np.zeros(1 << 40)\nG = np.array([1], dtype='x')\n"
      "H = np.array([1, np.float32(2)])\nI = np.arange(0, 1, 0)\nJ = np.array([1], order='F')\n"
      "K = np.zeros(2) * 2\nL = np.array([[], [1]])\nM = np.array([[1], 2])\nO = np.arange(1e300)\n"
      "P = np.arange(3, dtype=np.int8, stop=5)\nQ = np.array([1, 2**63])\n");
  for (const char* name : {"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "O", "Q"})
    EXPECT_EQ(f[name].substr(0, 1), "!") << name << f[name];
}

TEST(KernelFile, ComprehensionsInConstants) {
  File f(
      "import math\nN = 3\nA = tuple(i * i for i in range(N))\n"
      "B = [i + j for i in range(2) for j in (10, 20) if i or j > 10]\n"
      "C = tuple(range(4, 0, -2)), sum(range(5)), max(x % 3 for x in range(5)), math.prod((2, 3, 4))\n"
      "D = [a * b + i for i, (a, b) in enumerate(zip((1, 2), (3, 4)), 1)]\nE = A[1:], A[::-1], A[-1:9], "
      "A[:0]\n"
      "G = {i for i in A}\nH = [open(i) for i in A]\nI = [x for x in 5]\nJ = i = 7\nK = [i for i in (1, 2)], "
      "i\n"
      "L = [i for i in range(10) for j in range(10) for k in range(10) for l in range(10) for m in range(10) "
      "for n in range(10) for o in range(10)]\nM = tuple(range(1 << 40))\nO = 5\n");
  EXPECT_EQ(f["A"], "(0, 1, 4)");
  EXPECT_EQ(f["B"], "(20, 11, 21)");
  EXPECT_EQ(f["C"], "((4, 2), 10, 2, 24)");
  EXPECT_EQ(f["D"], "(4, 10)");
  EXPECT_EQ(f["E"], "((1, 4), (4, 1, 0), (4), ())");
  EXPECT_EQ(f["K"], "((1, 2), 7)");
  for (const char* name : {"G", "H", "I", "L", "M"}) EXPECT_EQ(f[name].substr(0, 1), "!") << name;
  EXPECT_EQ(f["O"], "5");
}

TEST(KernelFile, PlainClassesHoldConstants) {
  File f(
      "from lanewise import gpu\nBASE = 4\nclass Config:\n    'text'\n    TILE = BASE * 4\n"
      "    HALF: float = TILE / 2\n    N: int\n    A, (B, C) = 1, (2, 3)\n    D, E = 4, 5\n\n"
      "    def method(self):\n        return 1\n    HOST = open('x')\n    TILE2 = TILE; TILE2 += 1\n"
      "class Object(object):\n    X = 1\nclass Empty():\n    Y = 2\n"
      "class Derived(Config):\n    X = 1\n"
      "@gpu.jit(device=True)\ndef f(x): return x\nclass Held:\n    F = f\n"
      "D = Config.TILE + Object.X + Empty.Y\n");
  EXPECT_EQ(f.problems(), "");
  EXPECT_EQ(f["Config"], "module: A D E HALF HOST TILE TILE2 method");
  EXPECT_EQ(f["D"], "19");
  auto member = [&](const std::string& type, const std::string& name) {
    return show_value(*std::get<HostValue::Namespace>(f.find(type)->value).environment->lookup(name));
  };
  EXPECT_EQ(member("Config", "HALF") + member("Config", "A") + member("Config", "E"), "8.15");
  EXPECT_EQ(member("Config", "HOST"), "! computed by host code");
  EXPECT_EQ(member("Config", "TILE2"), "! computed by host code");
  EXPECT_EQ(member("Config", "method"), "! a function of a class: define it at the top of the file");
  EXPECT_EQ(member("Held", "F"), "! kept in a class: name it at the top of the file");
  EXPECT_EQ(f["Derived"], "! a class");
}

TEST(KernelFile, ArgumentsByName) {
  File f(
      "import functools\nfrom collections import namedtuple\nfrom lanewise import gpu\n"
      "P = namedtuple('P', 'x y z', defaults=(5, 6))\nA = P(1, z=2)\nB = P(x=1, y=2)\nC = P(y=2)\nD = P(1, "
      "x=2)\n"
      "@gpu.jit(device=True)\ndef f(x, y): return x + y\nG = functools.partial(f, y=5)\n"
      "H = gpu.jit(lambda x: x, device=True)\n");
  EXPECT_EQ(f["A"] + f["B"], "(1, 5, 2)(1, 2, 6)");
  EXPECT_EQ(f["C"].substr(0, 1) + f["D"].substr(0, 1), "!!");
  EXPECT_EQ(f["H"], "function <lambda>");
  HostValue found = *f.find("G");
  const auto& partial = std::get<HostValue::Partial>(found.value);
  EXPECT_EQ(show_value(*partial.callee), "function f");
  EXPECT_EQ(partial.keywords[0].first + show_value(partial.keywords[0].second), "y5");
}

TEST(KernelFile, Enums) {
  File f(
      "import enum\nfrom enum import Enum, IntFlag, auto\nBASE = 10\n"
      "class Mode(enum.IntEnum):\n    'modes'\n    SET = 0\n    ADD = SET + 1\n    LAST = FINAL = BASE * 2\n"
      "    NEXT = auto()\n\n    def __str__(self):\n        return self.name\n    HOST = open('x')\n"
      "class Bits(IntFlag): A = auto()\n"
      "class Flags(IntFlag):\n    A = auto(); B = auto()\n    AB = A | B\n    C = enum.auto()\n"
      "class Name(str, Enum):\n    RED = 'red'\n    GREEN = auto()\n"
      "class Plain(Other, Enum):\n    X = 1.5\n    Y: int = 2\n"
      "class Other(Mode):\n    X = 1\n"
      "A = Mode.ADD + 1, Mode.LAST.value, Plain.X\nB = Mode\nC = B.NEXT\n"
      "class Lies(collections.Enum):\n    X = 1\n");
  EXPECT_EQ(f.problems(), "");
  EXPECT_EQ(f["Mode"], "module: ADD FINAL HOST LAST NEXT SET");
  EXPECT_EQ(f["B"], f["Mode"]);
  EXPECT_EQ(f["A"], "(2, 20, 1.5)");
  EXPECT_EQ(f["C"], "21");
  EXPECT_EQ(f["Bits"], "! a class");  // on one line: host code
  auto member = [&](const std::string& type, const std::string& name) {
    return show_value(*std::get<HostValue::Namespace>(f.find(type)->value).environment->lookup(name));
  };
  EXPECT_EQ(member("Mode", "ADD"), "1");
  EXPECT_EQ(member("Mode", "HOST"), "! computed by host code");
  EXPECT_EQ(member("Flags", "B") + member("Flags", "AB") + member("Flags", "C"), "234");
  EXPECT_EQ(member("Name", "RED"), "'red'");
  EXPECT_EQ(member("Name", "GREEN"), "! computed by host code");
  EXPECT_EQ(f["Plain"], "module: X");
  EXPECT_EQ(f["Other"], "! a class");
  EXPECT_EQ(f.line("Other"), 25u);
  EXPECT_EQ(f["Lies"], "! a class");
}

TEST(KernelFile, NamedTuples) {
  File f(
      "from collections import namedtuple\nimport typing\nfrom typing import Any, NamedTuple\n"
      "P = namedtuple('P', 'x y', defaults=(7,))\nQ = namedtuple('Q', ['a'])\n"
      "class R(NamedTuple):\n    left: P\n    right: int = 2\n\n    def size(self):\n        return 0\n"
      "class S(typing.NamedTuple):\n    only: float = host()\n"
      "A = P(1), P(1, 2), P(1).y, R(Q(5)).left.a\nB = P()\nC = namedtuple('P', 'x', defaults=(1, 2))\n"
      "D = P(1)\n");
  EXPECT_EQ(f.problems(), "");
  EXPECT_EQ(f["P"] + f["R"], "class Pclass R");
  EXPECT_EQ(f["A"], "((1, 7), (1, 2), 7, 5)");
  for (const char* name : {"B", "C"}) EXPECT_EQ(f[name], "! computed by host code") << name;
  EXPECT_EQ(f["S"], "! computed from `host`, which is not defined here");
  EXPECT_EQ(std::get<HostValue::Tuple>(f.find("D")->value).names.fields()[1], "y");
}

TEST(KernelFile, ClassesOfConstantsWithMistakes) {
  EXPECT_NE(File("from enum import Enum\nclass A(.Enum):\n    X = 1\nB = 2\n").problems(), "");
  EXPECT_NE(File("from enum import Enum\nclass A(Enum):\n    X = 1 +\n    Y = (2\n").problems(), "");
  EXPECT_NE(File("from enum import Enum\nclass A(Enum):\n    X = 1\n        Y = 2\n    Z = 3\n").problems(),
            "");
  EXPECT_EQ(File("from enum import Enum\nclass A(Enum):\n    X = 1")["A"], "module: X");
  EXPECT_EQ(File("from enum import Enum\nclass A(Enum):\n    pass\n")["A"], "module:");
}

TEST(KernelFile, KnownImports) {
  File f(
      "import math\nimport numpy as np\nimport operator\nfrom math import sin, pi as PI\nfrom lanewise "
      "import gpu as cuda\n"
      "import lanewise.gpu as g\nimport lanewise, numba.cuda\nfrom numba import cuda as nc, float32, "
      "types\nfrom lanewise.gpu import jit, shared, int16\n"
      "from numpy import float64 as f64, inf, newaxis\nT = types.uint8, np.bool_, g.float16, "
      "cuda.boolean\nfrom __future__ import annotations\n");
  EXPECT_EQ(f.problems(), "");
  EXPECT_EQ(f["math"] + f["np"] + f["operator"], "<math><numpy><operator>");
  EXPECT_EQ(f["sin"] + f["PI"], "<math.sin>3.141593");
  EXPECT_EQ(f["cuda"] + f["g"] + f["nc"], "<gpu><gpu><gpu>");
  EXPECT_EQ(f["lanewise"] + f["numba"], "<lanewise><numba>");
  EXPECT_EQ(f["float32"] + f["jit"] + f["shared"] + f["int16"], "dtype f32<gpu.jit><gpu.shared>dtype i16");
  EXPECT_EQ(f["f64"] + " " + f["inf"] + f["newaxis"], "dtype f64 infNone");
  EXPECT_EQ(f["T"], "(dtype u8, dtype bool, dtype f16, dtype bool)");
  EXPECT_EQ(f["annotations"], "undefined");
  EXPECT_EQ(File("from math import *\nX = tau\n")["X"], "6.283185");
  EXPECT_EQ(File("from math import *\n")["cos"], "<math.cos>");
}

TEST(KernelFile, UnknownImportsSaySo) {
  File f("import torch\nfrom torch.nn import Linear\nfrom math import sinn\nimport os.path\n");
  EXPECT_EQ(f.problems(), "");
  EXPECT_TRUE(f["torch"].starts_with("! imported from `torch`")) << f["torch"];
  EXPECT_TRUE(f["Linear"].starts_with("! imported from `torch.nn`"));
  EXPECT_EQ(f["sinn"], "! `math.sinn`, a name unknown here");
  EXPECT_TRUE(f["os"].starts_with("! imported from `os.path`"));
  EXPECT_EQ(f.line("Linear"), 2u);
}

TEST(KernelFile, HostCodeIsPointedAt) {
  File f(
      "def host(): pass\nclass A: pass\nB = {1: 2}\nC = B\nfor D in x: E = 1\nF = lambda x: x\n@other\ndef "
      "G(): pass\nprint(H := 1)\nI, J = f()\nK = b'x'\nL = 1j\n");
  EXPECT_EQ(f.problems(), "");
  EXPECT_EQ(f["host"], "! a plain Python function, not decorated with @gpu.jit(device=True)");
  EXPECT_EQ(f["A"], "! a class");
  EXPECT_EQ(f["B"], "! a dict");
  EXPECT_EQ(f["C"], "! computed from `B`, which host code computes");
  EXPECT_EQ(f["D"], "! assigned inside a `for` statement of host code");
  EXPECT_EQ(f.line("E"), 5u);
  EXPECT_EQ(f["F"], "! a plain Python function, not wrapped in gpu.jit(device=True)");
  EXPECT_EQ(f["G"], "! a function decorated with @other instead of gpu.jit");
  EXPECT_EQ(f.line("J"), 10u);
  EXPECT_EQ(f["K"], "! a bytes object");
  EXPECT_EQ(f["L"], "complex(0., 1.)");
}

TEST(KernelFile, AssignedTwice) {
  File f(
      "A = 1\nA = 1\nB = 1\nC = B + 1\nB = 2\nD = 1\nif x: D = 2\nE = f()\nE = 3\nF = 1\ndef F(): pass\nfrom "
      "math import pi as G\nG = 3\n");
  EXPECT_EQ(f["A"], "1");
  EXPECT_EQ(f["B"], "! assigned twice with different values");
  EXPECT_EQ(f.line("B"), 5u);
  EXPECT_EQ(f["C"], "2");  // what it was when Python got there
  EXPECT_EQ(f["D"], "! also assigned by host code");
  EXPECT_EQ(f["E"], "! also assigned by host code");
  EXPECT_EQ(f["F"].substr(0, 16), "! a plain Python");
  EXPECT_EQ(f["G"], "3");
}

// Python refuses two starred targets side by side, and as many values as do not fit: host code, for all we
// know.
TEST(KernelFile, UnpackingThatDoesNotFit) {
  File f(
      "A, (*B, *C) = 1, (2, 3)\n(*D, *E), F = (1, 2), 3\n*G, H = ()\nI, J = 1, 2, 3\nK, (L, *M) = 1, 2\n"
      "N, (*O, P) = 1, (2,)\n*Q, = 1, 2\n[R, [*S]] = 1, []\n");
  EXPECT_EQ(f.problems(), "");
  EXPECT_EQ(f["A"], "1");
  EXPECT_EQ(f["F"], "3");
  for (const char* name : {"B", "C", "D", "E", "G", "H", "I", "J", "L", "M"})
    EXPECT_EQ(f[name], "! computed by host code") << name;
  EXPECT_EQ(f["K"] + f["N"] + f["O"] + f["P"], "11()2");
  EXPECT_EQ(f["Q"] + f["R"] + f["S"], "(1, 2)1()");
}

TEST(KernelFile, ImportsInHostCode) {
  File f(
      "try:\n  import numpy as np\nexcept ImportError:\n  np = None\n"
      "try:\n  from numba import cuda\nexcept ImportError:\n  from lanewise import gpu as cuda\n"
      "try:\n  import cupy as xp\nexcept ImportError:\n  import numpy as xp\nif TYPE_CHECKING:\n  import "
      "torch\n");
  EXPECT_EQ(f.problems(), "");
  EXPECT_EQ(f["np"] + f["cuda"] + f["xp"], "<numpy><gpu><numpy>");
  EXPECT_TRUE(f["torch"].starts_with("! imported from"));
}

TEST(KernelFile, ConstantsFromOutside) {
  HostValue nine{HostValue::Int{9, false}};
  File f("N = 4\nM = N * 2\nN = 5\nP = host()\n", {}, {{"N", nine}, {"P", nine}, {"Q", nine}});
  EXPECT_EQ(f["N"] + " " + f["M"] + " " + f["P"] + " " + f["Q"], "9 18 9 9");
}

TEST(KernelFile, Declarations) {
  File f(
      "from lanewise import gpu\nimport lanewise.gpu as g\nfrom numba.cuda import jit as nj\nfrom "
      "lanewise.gpu import device\n"
      "@gpu.jit\ndef a(x, n=4, m=gpu): pass\n@g.jit('void(f4[:])', fastmath=True, fma=False)\ndef b(x): "
      "pass\n@nj(device=True)\ndef c(): pass\n"
      "@device\ndef d(): pass\n@gpu.jit(['f4(f4)', 'f8(f8)'], device=True)\ndef e(x): return "
      "x\n@gpu.jit(void(f4[:]))\ndef h(x): pass\n"
      "@other\ndef i(): pass\nj = gpu.jit(device=True)(lambda x: x)\nk = a\nt = (c, d)\n");
  EXPECT_EQ(f.problems(), "");
  std::string names;
  for (const KernelDeclaration& one : f.opened.declarations)
    names += one.function.name + (one.function.is_kernel ? "" : ":device") +
             (one.signature ? "=" + *one.signature : "") + " ";
  EXPECT_EQ(names, "a b=void(f4[:]) c:device d:device e:device=f4(f4) h=void(f4[:]) ");
  const FunctionRef& b = f.opened.declarations[1].function;
  EXPECT_EQ(b.fast_math, std::optional(true));
  EXPECT_EQ(b.contract, std::optional(false));
  EXPECT_EQ(f.sources.text(f.opened.declarations[1].range), "b");
  const FunctionRef& a = f.opened.declarations[0].function;
  ASSERT_EQ(a.defaults.size(), 3u);
  EXPECT_FALSE(a.defaults[0]);
  EXPECT_EQ(show_value(*a.defaults[1]), "4");
  EXPECT_TRUE(a.environment->lookup("gpu"));
  EXPECT_EQ(f["a"] + ", " + f["c"] + ", " + f["j"] + ", " + f["k"],
            "kernel a, function c, function <lambda>, kernel a");
  EXPECT_EQ(f["t"], "(function c, function d)");
  auto identity = [&](const char* name) {
    return std::get<HostValue::Function>(f.find(name)->value)->identity;
  };
  EXPECT_EQ(identity("a"), identity("k"));
  EXPECT_EQ(identity("a"), a.identity);
  EXPECT_NE(identity("a"), identity("c"));
}

TEST(KernelFile, NumbasHostFunctionsAreDeviceFunctions) {
  File f(
      "import numba\nfrom numba import njit\n@numba.jit('f8(f8)', nopython=True)\ndef a(x): return "
      "x\n@njit\ndef b(x): return x\n");
  EXPECT_EQ(f.problems(), "");
  EXPECT_EQ(f["a"] + ", " + f["b"], "function a, function b");
  EXPECT_FALSE(f.opened.declarations.at(0).signature);
}

TEST(KernelFile, EnvironmentsAreFreed) {
  std::weak_ptr<Environment> weak;
  {
    File f("from lanewise import gpu\nimport other\n@gpu.device\ndef a(): pass\nb = (a, a)\n",
           {{"other", "import other\nfrom lanewise import gpu\n@gpu.device\ndef c(): pass\n"}});
    weak = f.opened.environment;
    EXPECT_EQ(f["b"], "(function a, function a)");
  }
  EXPECT_TRUE(weak.expired());
}

TEST(KernelFile, KernelModules) {
  std::map<std::string, std::string> modules = {
      {"helpers",
       "from lanewise import gpu\nSCALE = 3\n@gpu.device\ndef twice(x): return SCALE * x\n_private = 1\n"},
      {"pkg.sub", "from helpers import SCALE\nV = SCALE + 1\n"},
      {".near", "W = 8\n"},
      {"bad", "X = = 1\n"}};
  File f(
      "import helpers as h\nfrom helpers import twice, SCALE as S, nothing\nimport pkg.sub\nfrom pkg import "
      "sub as s\nfrom .near import W\n"
      "from . import near as n\nA = h.SCALE + pkg.sub.V\nB = h\n",
      modules);
  EXPECT_EQ(f.problems(), "");
  EXPECT_EQ(f["h"], "module: SCALE _private gpu twice");
  EXPECT_EQ(f["twice"] + " " + f["S"], "function twice 3");
  EXPECT_EQ(f["nothing"], "! a name that the module `helpers` does not have");
  EXPECT_EQ(f["pkg"] + ", " + f["s"] + ", " + f["n"], "module: sub, module: SCALE V, module: W");
  EXPECT_EQ(f["A"] + " " + f["W"], "7 8");
  EXPECT_EQ(f["B"], f["h"]);
  // A function sees its own module's names.
  auto twice = std::get<HostValue::Function>(f.find("twice")->value);
  EXPECT_EQ(show_value(*twice->environment->lookup("SCALE")), "3");
  EXPECT_FALSE(twice->environment->lookup("S"));

  File star("from helpers import *\n", modules);
  EXPECT_EQ(star["SCALE"] + star["_private"], "3undefined");
  File bad("import bad\n", modules);
  EXPECT_EQ(bad.problems(), "1:5 syntax");  // a place in the module's own text
  File other_constant("from helpers import SCALE\n", modules, {{"SCALE", HostValue{true}}});
  EXPECT_EQ(other_constant["SCALE"], "True");
}

TEST(KernelFile, ModulesMayImportEachOther) {
  std::map<std::string, std::string> modules = {{"a", "X = 1\nfrom b import Y\nfrom b import *\n"},
                                                {"b", "from a import X\nfrom a import *\nY = X + 1\n"}};
  File f("from a import Y\nimport b\n", modules);
  EXPECT_EQ(f["Y"], "2");
  EXPECT_EQ(f["missing"], "undefined");
  std::map<std::string, std::string> chain;
  for (int i = 0; i < 1000; ++i)
    chain["m" + std::to_string(i)] = "from m" + std::to_string(i + 1) + " import V\n";
  File deep("from m0 import V\n", chain);
  EXPECT_TRUE(deep["V"].starts_with("! imported through more than")) << deep["V"];
}

std::string repeat(const std::string& piece, size_t count) {
  std::string out;
  while (count-- > 0) out += piece;
  return out;
}

// Constants that grow without bound are given up, not computed.
TEST(KernelFile, HostileConstants) {
  std::string text = "A = (1,) * 16000\n";
  for (int i = 0; i < 60; ++i) text += "A" + std::to_string(i) + " = (A, A, A, A)\n";
  text += "S = 'x' * 60000\n";
  for (int i = 0; i < 2000; ++i) text += "S" + std::to_string(i) + " = S + S\n";
  text += "B = (1,)\n";
  for (int i = 0; i < 60; ++i) text += "B = B + B\n";
  text +=
      "W = " + repeat("2**64 + ", 300) + "0\nN = 16\nP = 9**9**9\nQ = 2**100000000\nR = 1 << 99999999999\n";
  File f(text);
  EXPECT_EQ(f.problems(), "");
  for (const char* name : {"P", "Q", "R", "A59", "S1999", "B", "W"})
    EXPECT_EQ(f[name].substr(0, 1), "!") << name;
  EXPECT_EQ(f["N"], "16");  // plain numbers always have a value
}

}  // namespace
}  // namespace lanewise::frontend
