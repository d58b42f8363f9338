// Types: sizes, text, and the inverse of the text.
#include "ir/type.h"

#include <gtest/gtest.h>

#include "ir/op.h"

namespace lanewise::ir {
namespace {

TEST(Type, TextAndBack) {
  const Type scalars[] = {kBool, kI8, kI16, kI32, kI64, kU8, kU16, kU32, kU64, kF16, kF32, kF64, kBF16};
  const Space spaces[] = {Space::Generic, Space::Global, Space::Shared, Space::Local, Space::Constant};
  for (Type scalar : scalars) {
    EXPECT_EQ(parse_type(to_string(scalar)), scalar) << to_string(scalar);
    EXPECT_EQ(parse_type(to_string(scalar.var())), scalar.var());
    for (Space space : spaces) {
      Type pointer = scalar.pointer(space);
      EXPECT_EQ(parse_type(to_string(pointer)), pointer) << to_string(pointer);
      EXPECT_EQ(parse_type(to_string(pointer.var())), pointer.var());
    }
  }
}

TEST(Type, Spelling) {
  EXPECT_EQ(to_string(kF32), "f32");
  EXPECT_EQ(to_string(kBool), "bool");
  EXPECT_EQ(to_string(kF32.pointer(Space::Constant)), "ptr<f32, const>");
  EXPECT_EQ(to_string(kU8.pointer(Space::Global).var()), "var<ptr<u8, global>>");
  EXPECT_EQ(to_string(kVoid), "void");
}

TEST(Type, NoType) {
  for (const char* text :
       {"", "f31", "void", "ptr<f32>", "ptr<f32,global>", "ptr<f32, moon>", "ptr<ptr<f32, global>, global>",
        "var<var<f32>>", "var<void>", "f32 ", "bool2", ">", "ptr<", "var<"})
    EXPECT_EQ(parse_type(text), kVoid) << text;
}

TEST(Type, Sizes) {
  EXPECT_EQ(kBool.size(), 1u);
  EXPECT_EQ(kF16.size(), 2u);
  EXPECT_EQ(kU64.size(), 8u);
  EXPECT_EQ(kU8.pointer(Space::Shared).size(), 8u);
  EXPECT_EQ(kU8.pointer(Space::Shared).element_size(), 1u);
}

TEST(Op, ClassesOfTypes) {
  EXPECT_TRUE(in_class(kF32.pointer(Space::Global), TypeClass::Any));
  EXPECT_FALSE(in_class(kF32.pointer(Space::Global), TypeClass::Scalar));
  EXPECT_FALSE(in_class(kF32.var(), TypeClass::Any));
  EXPECT_FALSE(in_class(kBool, TypeClass::Num));
  EXPECT_TRUE(in_class(kBool, TypeClass::Bits));
  EXPECT_FALSE(in_class(kF16, TypeClass::Bits));
}

}  // namespace
}  // namespace lanewise::ir
