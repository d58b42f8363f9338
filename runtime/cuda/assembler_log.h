// What an assembler of PTX says, the driver's or the toolkit's, for people.
#pragma once
#include <string>

namespace lanewise::runtime::cuda {

// Whose fault the errors of the log are: those in linked code that of its file, those at lines of inline PTX
// the kernel's, with its place and text; others are ours.
std::string explain_assembler_log(const std::string& ptx, const std::string& log);

}  // namespace lanewise::runtime::cuda
