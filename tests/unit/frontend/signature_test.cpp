// Signatures and types as text, and from annotations.
#include <gtest/gtest.h>

#include "tests/unit/frontend/frontend_support.h"

namespace lanewise::frontend {
namespace {

// "name(types) -> result", or the message.
std::string read(const std::string& text) {
  Source source(text);
  ir::SourceRange range{source.file, 0, static_cast<uint32_t>(text.size())};
  std::optional<ParsedSignature> parsed = parse_signature(text, range, source.diagnostics);
  if (!parsed)
    return source.diagnostics.all().size() == 1 ? source.diagnostics.all()[0].message : "no single report";
  std::string out = parsed->name + "(";
  for (size_t i = 0; i < parsed->arguments.size(); ++i)
    out += (i > 0 ? "; " : "") + to_string(parsed->arguments[i]);
  out += ")";
  return parsed->result ? out + " -> " + to_string(*parsed->result) : out;
}

std::string problem(const std::string& text) {
  std::string message = read(text);
  std::string start = "the signature `" + text + "` cannot be read: ";
  return message.starts_with(start) ? message.substr(start.size()) : "READ: " + message;
}

std::string type(std::string_view text) {
  std::optional<ValueType> parsed = parse_type_text(text);
  return parsed ? to_string(*parsed) + (parsed->python ? " of Python" : "") : "none";
}

TEST(Signature, Forms) {
  EXPECT_EQ(read("void(float32[:], int64)"), "void(float32[:]; int64)");
  EXPECT_EQ(read("saxpy(float32, float32[::1])"), "saxpy(float32; float32[::1])");
  EXPECT_EQ(read("(f4[:, ::1], i8)"), "(float32[:, ::1]; int64)");
  EXPECT_EQ(read("float32(float32, float32)"), "(float32; float32) -> float32");
  EXPECT_EQ(read("()"), "()");
  EXPECT_EQ(read(" none ( ) "), "void()");
  EXPECT_EQ(read("(int64, int64)(float32)"), "(float32) -> (int64, int64)");
  EXPECT_EQ(read("types.void(types.float32[:],)"), "void(float32[:])");
  EXPECT_EQ(read("k(UniTuple(int64, 2), Tuple((i4, f8)), (u1, (b1, f2)))"),
            "k((int64, int64); (int32, float64); (uint8, (bool, float16)))");
  EXPECT_EQ(read("Tuple(i4, f8)(i4)"), "(int32) -> (int32, float64)");
  EXPECT_EQ(read("stream(int64)"), "stream(int64)");  // a kernel's name, though it begins as a type does
}

TEST(Signature, LayoutsAndDimensions) {
  EXPECT_EQ(read("k(f4[:])"), "k(float32[:])");
  EXPECT_EQ(read("k(f4[::1, :])"), "k(float32[::1, :])");
  EXPECT_EQ(read("k(f4[:,:,:,:,:,:,:,::1])"), "k(float32[:, :, :, :, :, :, :, ::1])");
  EXPECT_EQ(read("k(Array(float32, 2, 'C'), Array(i4, 1, 'A'))"), "k(float32[:, ::1]; int32[:])");
  EXPECT_EQ(parse_type_text("f4[:]")->layout, Layout::Strided);
  EXPECT_EQ(parse_type_text("f4[::1]")->layout, Layout::C);
  EXPECT_EQ(parse_type_text("f4[::1, :]")->layout, Layout::F);
  EXPECT_FALSE(parse_type_text("read-only f4[:]")->writable);
}

TEST(Signature, TypeNames) {
  for (const char* name : {"float32", "f4", "<f4", "=f4", "single", "f"})
    EXPECT_EQ(type(name), "float32") << name;
  for (const char* name : {"int64", "i8", "int_", "intp", "longlong", "q"})
    EXPECT_EQ(type(name), "int64") << name;
  for (const char* name : {"boolean", "bool_", "b1", "|b1", "?"}) EXPECT_EQ(type(name), "bool") << name;
  EXPECT_EQ(type("half"), "float16");
  EXPECT_EQ(type("double"), "float64");
  EXPECT_EQ(type("uint8"), "uint8");
  for (const char* name : {"complex64", "c8", "F", "csingle"}) EXPECT_EQ(type(name), "complex64") << name;
  EXPECT_EQ(type("float4"), "float32x4");
  EXPECT_EQ(type("int"), "int of Python");
  EXPECT_EQ(type("float"), "float of Python");
  EXPECT_EQ(type("bool"), "bool of Python");
  EXPECT_EQ(type("(f4, int)"), "(float32, int)");
  for (const char* none : {"", "flaot32", ">f4", "f4[", "f4[1]", "f4 f4", "complex32", "f4[:]]", "void"})
    EXPECT_EQ(type(none), "none") << none;
}

TEST(Signature, Mistakes) {
  EXPECT_EQ(problem("void(flaot32)"), "`flaot32` is no type");
  EXPECT_EQ(problem("void(float128)"), "kernels have no type `float128` in this version");
  EXPECT_EQ(problem("void(f4[:)"), "expected `,` or `]` at \")\"");
  EXPECT_EQ(problem("void(f4[:, ::1, :])"), "`::1` stands for the first or the last dimension only");
  EXPECT_EQ(problem("void(f4[::1, ::1])"), "`::1` stands for the first or the last dimension only");
  EXPECT_EQ(problem("void(f4[:,:,:,:,:,:,:,:,:])"), "an array has at most 8 dimensions");
  EXPECT_EQ(problem("void(f4"), "expected `,` or `)` at its end");
  EXPECT_EQ(problem("void(f4) x"), "nothing may follow the arguments' types");
  EXPECT_EQ(problem("f4"), "expected `(` and the arguments' types at its end");
  EXPECT_EQ(problem(""), "expected `(` and the arguments' types at its end");
  EXPECT_EQ(problem("void((f4, i4)[:])"), "arrays hold numbers");
  EXPECT_EQ(problem("k(UniTuple(UniTuple(UniTuple(i4, 1000), 1000), 1000))"), "its tuple has too many items");
  EXPECT_EQ(problem("k(" + std::string(100, '(') + "i4"), "its tuples are nested too deep");
}

TEST(Signature, MisspeltTypesGetAHint) {
  Source source("x");
  EXPECT_FALSE(parse_signature("void(flaot32)", {source.file, 0, 1}, source.diagnostics));
  EXPECT_EQ(source.diagnostics.all()[0].hint, "did you mean `float32`?");
}

std::string annotations(const std::string& parameters) {
  Source source(
      "import numpy as np\nfrom lanewise import gpu\nfrom lanewise.gpu import float32, int32 as i\nF = "
      "float32\nM = 3\n"
      "@gpu.jit\ndef k(" +
      parameters + "): pass\n");
  KernelFile file = open_kernel_file(source.sources, source.file, {}, source.diagnostics);
  if (!source.problems().empty()) return source.problems();
  std::optional<std::vector<ValueType>> types = annotated_arguments(file.declarations.at(0).function);
  if (!types) return "none";
  std::string out;
  for (const ValueType& one : *types)
    out += (out.empty() ? "" : "; ") + to_string(one) + (one.python ? " of Python" : "");
  return out;
}

TEST(Annotations, NameTypes) {
  EXPECT_EQ(annotations("x: float32[:], y: gpu.float64[:, ::1], z: np.int64"),
            "float32[:]; float64[:, ::1]; int64");
  EXPECT_EQ(annotations("a: int, b: float, c: bool, d: i, e: F[::1, :]"),
            "int of Python; float of Python; bool of Python; int32; float32[::1, :]");
  EXPECT_EQ(annotations("x: 'float32[:]', y: \"f4\""), "float32[:]; float32");
  EXPECT_EQ(annotations("t: tuple[int, float32], u: (int, i)"), "(int, float32); (int, int32)");
  EXPECT_EQ(annotations("x: uint8[:], n: int64"), "uint8[:]; int64");  // names that only annotations use
  EXPECT_EQ(annotations(""), "");
}

TEST(Annotations, AnyOtherMeansNone) {
  for (const char* other :
       {"x", "x: float32, y", "x: torch.Tensor", "x: list", "x: M", "x: float32[0]", "x: float32[:, 1:]",
        "x: float32[::2]", "x: np.ndarray", "x: Whatever", "*x: int", "x: dict[int, int]"})
    EXPECT_EQ(annotations(other), "none") << other;
}

}  // namespace
}  // namespace lanewise::frontend
