// Files that are linked to kernels: what they are, by their names.
#include <algorithm>

#include "runtime/cuda/device_code.h"

namespace lanewise::runtime {

LinkInput read_link_input(const std::string& path) {
  using Kind = LinkInput::Kind;
  constexpr struct {
    std::string_view extension;
    Kind kind;
  } kKinds[] = {{".cu", Kind::CudaSource}, {".ptx", Kind::Ptx},    {".cubin", Kind::Cubin},
                {".fatbin", Kind::Fatbin}, {".a", Kind::Archive},  {".lib", Kind::Archive},
                {".o", Kind::Object},      {".obj", Kind::Object}, {".ltoir", Kind::LtoIr}};
  auto row = std::find_if(std::begin(kKinds), std::end(kKinds),
                          [&](const auto& kind) { return path.ends_with(kind.extension); });
  if (row == std::end(kKinds))
    throw LaunchError("link: `" + path +
                      "` is no kind of device code: it ends in .cu, .ptx, .cubin, .fatbin, .a, .o or .ltoir");
  std::optional<std::string> data = read_text_file(path);
  if (!data) throw LaunchError("link: cannot read `" + path + "`");
  return {row->kind, path, std::move(*data), {}};
}

}  // namespace lanewise::runtime
