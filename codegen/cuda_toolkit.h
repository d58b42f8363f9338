// Where the pieces of NVIDIA's toolkit are on this machine: the one search for all of them. Nothing is looked
// for before it is asked for.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::codegen {

enum class ToolkitPiece { Libdevice, Nvrtc, NvJitLink, Headers, Ptxas, Nvdisasm, Cuobjdump, Fatbinary };
inline constexpr ToolkitPiece kToolkitPieces[] = {
    ToolkitPiece::Libdevice, ToolkitPiece::Nvrtc,    ToolkitPiece::NvJitLink, ToolkitPiece::Headers,
    ToolkitPiece::Ptxas,     ToolkitPiece::Nvdisasm, ToolkitPiece::Cuobjdump, ToolkitPiece::Fatbinary};

struct ToolkitPieceInfo {
  std::string_view name;      // "NVRTC"
  std::string_view what_for;  // "compiles CUDA C++"
  std::string_view variable;  // an environment variable with its path: a file, or a folder that has it
  std::string_view wheels;    // what to `pip install`
};
const ToolkitPieceInfo& about(ToolkitPiece piece);

// The files found, the best one first: from the environment variable, CUDA_HOME and CUDA_PATH, the wheels of
// the Python in use, /usr/local/cuda*, what distributions use, then PATH or the loader. A variable that is
// set leaves only its own. Of Headers the folder. `searched` gets the places tried.
std::vector<std::string> find_all(ToolkitPiece piece, std::vector<std::string>* searched = nullptr);
// The best one, "" if there is none.
std::string find(ToolkitPiece piece, std::vector<std::string>* searched = nullptr);
// That there is none, how to get it and where it was looked for.
std::string missing_text(ToolkitPiece piece);

// The folders in which the Python in use has its packages ("site-packages").
void set_package_folders(std::vector<std::string> folders);

}  // namespace lanewise::codegen
