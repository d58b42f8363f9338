// toolkit(), devices_report(): what is on this machine of CUDA, for `kc devices` and gpu.toolkit().
#include "codegen/cuda_toolkit.h"

#include <algorithm>

#include "runtime/cuda/device_code.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/nvrtc.h"

namespace lanewise::runtime {
namespace {

// The oldest driver for Linux of each CUDA, and what that CUDA's tools and drivers have of GPUs.
constexpr struct {
  int cuda;
  const char* driver;
  const char* note;
} kCudaVersions[] = {
    {13000, "580.65", "tools: sm_75 and up; the driver runs sm_50 and up"},
    {12090, "575.51", "tools: sm_50 to sm_121"},
    {12080, "570.26", "first with sm_100, sm_120"},
    {12060, "560.28", ""},
    {12040, "550.54", ""},
    {12020, "535.54", ""},
    {12000, "525.60", ""},
    {11080, "520.61", "first with sm_89, sm_90; tools: sm_35 and up"},
    {11040, "470.42", "the last driver that runs sm_35, sm_37 is 470"},
    {11010, "455.23", "first with sm_86"},
    {11000, "450.36", "first with sm_80"},
    {10020, "440.33", ""},
    {10000, "410.48", "first with sm_75"},
    {9000, "384.81", "first with sm_70"},
    {8000, "367.48", "first with sm_60, sm_61"},
    {7000, "346.46", "the oldest that Lanewise runs with"},
};

std::string dotted(int version) { return std::to_string(version / 10) + "." + std::to_string(version % 10); }

std::string padded(std::string text, size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

}  // namespace

std::vector<ToolkitEntry> toolkit() {
  using codegen::ToolkitPiece;
  std::vector<ToolkitEntry> entries;
  for (ToolkitPiece piece : codegen::kToolkitPieces) {
    const codegen::ToolkitPieceInfo& info = codegen::about(piece);
    ToolkitEntry entry{std::string(info.name), std::string(info.what_for), codegen::find(piece), "",
                       std::string(info.wheels)};
    if (!entry.path.empty() && piece == ToolkitPiece::Nvrtc) entry.version = cuda::nvrtc_version(entry.path);
    if (!entry.path.empty() && piece == ToolkitPiece::NvJitLink)
      entry.version = cuda::nvjitlink_version(entry.path);
    entries.push_back(std::move(entry));
  }
  return entries;
}

void set_package_folders(std::vector<std::string> folders) {
  codegen::set_package_folders(std::move(folders));
}

std::string devices_report() {
  std::string out = cuda_status().report + "\n\ntoolkit:\n";
  for (const ToolkitEntry& entry : toolkit()) {
    out += "  " + padded(entry.name, 18);
    if (entry.path.empty())
      out += "not found (" + entry.what_for + "): pip install " + entry.wheels + "\n";
    else
      out += entry.path + (entry.version.empty() ? "" : " (CUDA " + entry.version + ")") + "\n";
  }
  int driver = cuda_status().driver_version;
  out += "\nCUDA versions; a driver runs code of its own and of older ones:\n  " + padded("CUDA", 8) +
         padded("PTX", 6) + padded("driver", 9) + "\n";
  bool marked = false;
  for (const auto& row : kCudaVersions) {
    bool here = driver >= row.cuda && !marked;
    marked |= here;
    std::string note = row.note;
    if (here) note = "this machine's driver serves it" + (note.empty() ? "" : "; " + note);
    std::string cuda = std::to_string(row.cuda / 1000) + "." + std::to_string(row.cuda % 1000 / 10);
    out += "  " + padded(cuda, 8) + padded(dotted(cuda::ptx_of_cuda_version(row.cuda)), 6) +
           padded(row.driver, 9) + note;
    out.erase(out.find_last_not_of(' ') + 1);
    out += "\n";
  }
  return out;
}

}  // namespace lanewise::runtime
