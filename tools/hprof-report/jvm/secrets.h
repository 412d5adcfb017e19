#pragma once

#include <string>
#include <string_view>

namespace hprof {

/// Whether a property of that name holds a secret: its words speak of passwords, secrets, tokens,
/// credentials or keys, with a number behind or not. "key" and "pass" count only where they are not
/// part of the name of something harmless, as in keyStore, key.path or pass.through.
bool names_secret(std::string_view name);

/// A value in which secrets are replaced by "***".
struct MaskedText {
  std::string text;
  bool masked = false;
};

/// Hides the whole value if `name` names a secret; in any other value the user-info of URLs, and
/// what is assigned to a secret: "password=…", "password: …" and "--password …".
MaskedText mask_secrets(std::string_view name, std::string_view value);

/// The same of one argument of the JVM: "-Dpassword=…" is hidden to its end.
std::string mask_argument(const std::string& argument);

}  // namespace hprof
