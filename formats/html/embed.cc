// Writes a header with the bytes of files as arrays, so that a program carries them along:
// embed OUT.h NAME=FILE...
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace {

bool append_array(std::ostream& out, const std::string& argument) {
  const auto equals = argument.find('=');
  std::ifstream in(argument.substr(equals + 1), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (equals == std::string::npos || bytes.empty()) {
    std::cerr << "embed: " << argument << ": no NAME=FILE of a file with bytes\n";
    return false;
  }
  out << "inline constexpr unsigned char " << argument.substr(0, equals) << "[] = {\n";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    out << static_cast<unsigned>(static_cast<unsigned char>(bytes[i]))
        << (i % 32 == 31 ? ",\n" : ",");
  }
  out << "};\n";
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: embed OUT.h NAME=FILE...\n";
    return 64;
  }
  std::ofstream out(argv[1]);
  out << "#pragma once\n\nnamespace hprof {\n";
  for (int i = 2; i < argc; ++i) {
    if (!append_array(out, argv[i])) {
      return 66;
    }
  }
  out << "}  // namespace hprof\n";
  out.close();
  return out ? 0 : 74;
}
