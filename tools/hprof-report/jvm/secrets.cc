// Names are taken apart into words at capitals and at what is no letter or digit, since a search
// for "key" alone would hide java.awt.keyboard and javax.net.ssl.keyStore, which is a path. In
// doubt a value is hidden: --show-secrets is there for those who need it.
#include "tools/hprof-report/jvm/secrets.h"

#include <algorithm>
#include <array>
#include <vector>

namespace hprof {
namespace {

constexpr std::string_view kMask = "***";

/// In any place of a word.
constexpr std::array<std::string_view, 6> kSecretParts{"password",   "passwd",     "secret",
                                                       "passphrase", "credential", "apikey"};
/// At the end of a word.
constexpr std::array<std::string_view, 7> kSecretEnds{
    "token", "tokens", "privatekey", "accesskey", "authkey", "signingkey", "encryptionkey"};
/// Behind "key": a name of something that may be shown.
constexpr std::array<std::string_view, 24> kHarmlessKeys{
    "store",    "stores",    "path",  "file",  "dir",      "directory", "size",    "length",
    "type",     "algorithm", "alias", "usage", "exchange", "manager",   "factory", "limits",
    "provider", "class",     "board", "code",  "event",    "format",    "count",   "generator"};

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Words in lower case: "my.keyStorePIN2" → my, key, store, pin2.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  char before = ' ';
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    const bool part = is_lower(c) || is_upper(c) || is_digit(c);
    const bool last_of_capitals =
        is_upper(before) && at + 1 < name.size() && is_lower(name[at + 1]);
    const bool begins = is_upper(c) && (!is_upper(before) || last_of_capitals);
    if ((!part || begins) && !words.back().empty()) {
      words.emplace_back();
    }
    if (part) {
      words.back() += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    }
    before = c;
  }
  if (words.back().empty()) {
    words.pop_back();
  }
  return words;
}

bool is_secret_word(std::string_view word) {
  return std::any_of(kSecretParts.begin(), kSecretParts.end(),
                     [&](auto part) { return word.find(part) != std::string_view::npos; }) ||
         std::any_of(kSecretEnds.begin(), kSecretEnds.end(),
                     [&](auto end) { return word.ends_with(end); });
}

bool is_secret_key(const std::vector<std::string>& words, std::size_t at) {
  if (words[at] != "key" && words[at] != "keys") {
    return false;
  }
  return at + 1 == words.size() || std::find(kHarmlessKeys.begin(), kHarmlessKeys.end(),
                                             words[at + 1]) == kHarmlessKeys.end();
}

/// Where a run of characters that `is_part` says belong to it ends.
template <typename IsPart>
std::size_t end_of_run(std::string_view text, std::size_t at, IsPart&& is_part) {
  while (at < text.size() && is_part(text[at])) {
    ++at;
  }
  return at;
}

bool is_name_part(char c) {
  return is_lower(c) || is_upper(c) || is_digit(c) || c == '.' || c == '_' || c == '-';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_quote(char c) {
  return c == '"' || c == '\'';
}
bool is_assigned(char c) {
  return c != '&' && c != ';' && c != ',' && !is_blank(c);
}
bool is_authority(char c) {
  return c != '/' && c != '?' && c != '#' && !is_blank(c) && !is_quote(c);
}

/// Copies a value piece by piece and leaves secrets out.
class Masking {
 public:
  explicit Masking(std::string_view value) : value_(value) {}

  MaskedText run() {
    while (at_ < value_.size()) {
      if (value_.substr(at_).starts_with("://")) {
        take(3);
        hide(user_info_end());
      } else if (is_name_part(value_[at_])) {
        take_name();
      } else {
        take(1);
      }
    }
    return std::move(out_);
  }

 private:
  void take(std::size_t count) {
    out_.text += value_.substr(at_, count);
    at_ += count;
  }

  void hide(std::size_t end) {
    if (end > at_) {
      out_.text += kMask;
      out_.masked = true;
      at_ = end;
    }
  }

  /// Where what stands before the @ of a URL's authority ends; here if there is none.
  std::size_t user_info_end() const {
    const std::size_t end = end_of_run(value_, at_, is_authority);
    const auto sign = value_.substr(at_, end - at_).rfind('@');
    return sign == std::string_view::npos ? at_ : at_ + sign;
  }

  /// A run like "-Dmy.token" or "--password", and what is assigned to it if it names a secret.
  void take_name() {
    const auto name = value_.substr(at_, end_of_run(value_, at_, is_name_part) - at_);
    take(name.size());
    if (names_secret(name.starts_with("-D") ? name.substr(2) : name) &&
        take_assignment(name.starts_with("-"))) {
      hide_assigned();
    }
  }

  bool take_assignment(bool is_option) {
    const bool quoted = at_ < value_.size() && is_quote(value_[at_]);
    const std::size_t sign = quoted ? at_ + 1 : at_;
    if (sign >= value_.size()) {
      return false;
    }
    const char c = value_[sign];
    if (c != '=' && !(quoted && c == ':') && !(is_option && is_blank(c))) {
      return false;
    }
    take(sign + 1 - at_);
    return true;
  }

  void hide_assigned() {
    take(end_of_run(value_, at_, is_blank) - at_);
    if (at_ < value_.size() && is_quote(value_[at_])) {
      const char quote = value_[at_];
      take(1);
      hide(end_of_run(value_, at_, [quote](char c) { return c != quote; }));
    } else {
      hide(end_of_run(value_, at_, is_assigned));
    }
  }

  std::string_view value_;
  std::size_t at_ = 0;
  MaskedText out_;
};

}  // namespace

bool names_secret(std::string_view name) {
  const auto words = words_of(name);
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (is_secret_word(words[at]) || is_secret_key(words, at)) {
      return true;
    }
  }
  return !words.empty() && (words.back() == "pass" || words.back() == "pwd");
}

MaskedText mask_secrets(std::string_view name, std::string_view value) {
  if (names_secret(name)) {
    return value.empty() ? MaskedText() : MaskedText{std::string(kMask), true};
  }
  return Masking(value).run();
}

}  // namespace hprof
