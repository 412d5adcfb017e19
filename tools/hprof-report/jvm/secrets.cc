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
constexpr std::string_view kOracleUrl = "jdbc:oracle:";

/// In any place of a word.
constexpr std::array<std::string_view, 9> kSecretParts{"password", "passwd",     "passphrase",
                                                       "passcode", "passkey",    "secret",
                                                       "apikey",   "credential", "pswd"};
/// At the end of a word.
constexpr std::array<std::string_view, 9> kSecretEnds{"token",      "tokens",        "pwd",
                                                      "privatekey", "accesskey",     "authkey",
                                                      "signingkey", "encryptionkey", "jwt"};
/// The last word of a name.
constexpr std::array<std::string_view, 5> kSecretLast{"auth", "authorization", "bearer", "creds",
                                                      "cookie"};
/// A word that ends in "pass" and is none of these holds a password, as dbpass does.
constexpr std::array<std::string_view, 14> kHarmlessPasses{
    "bypass",    "compass",  "encompass", "overpass", "underpass", "surpass", "trespass",
    "multipass", "highpass", "lowpass",   "bandpass", "onepass",   "twopass", "singlepass"};
/// Behind "pass": a name of a passage.
constexpr std::array<std::string_view, 6> kHarmlessBehindPass{"through", "thru", "count",
                                                              "number",  "rate", "filter"};
/// Behind "key": a name of something that may be shown.
constexpr std::array<std::string_view, 31> kHarmlessBehindKey{
    "store",   "stores",     "path",        "file",      "dir",    "directory", "size",
    "length",  "type",       "algorithm",   "alias",     "usage",  "exchange",  "manager",
    "factory", "limits",     "provider",    "class",     "board",  "code",      "event",
    "format",  "count",      "generator",   "separator", "stroke", "strokes",   "bindings",
    "space",   "serializer", "deserializer"};

template <typename Words>
bool is_one_of(std::string_view word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

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

/// "passwd1" → "passwd"; a word of digits stays.
std::string_view without_number(std::string_view word) {
  const std::size_t last = word.find_last_not_of("0123456789");
  return last == std::string_view::npos ? word : word.substr(0, last + 1);
}

bool is_secret_word(std::string_view word) {
  return word == "pw" || word == "pin" ||
         std::any_of(kSecretParts.begin(), kSecretParts.end(),
                     [&](auto part) { return word.find(part) != std::string_view::npos; }) ||
         std::any_of(kSecretEnds.begin(), kSecretEnds.end(),
                     [&](auto end) { return word.ends_with(end); });
}

/// `next` is the word behind, if there is one.
bool is_secret_in_place(std::string_view word, std::string_view next) {
  if (word == "key" || word == "keys") {
    return !is_one_of(next, kHarmlessBehindKey);
  }
  return word.ends_with("pass") && !is_one_of(word, kHarmlessPasses) &&
         !is_one_of(next, kHarmlessBehindPass);
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
bool is_no_blank(char c) {
  return !is_blank(c);
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
      const auto rest = value_.substr(at_);
      if (rest.starts_with("://")) {
        take(3);
        hide(user_info_end());
      } else if (rest.starts_with(kOracleUrl)) {
        take(end_of_run(value_, at_ + kOracleUrl.size(), is_name_part) - at_);
        hide_before_database();
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
    return user_info_end_of(end_of_run(value_, at_, is_authority));
  }
  std::size_t user_info_end_of(std::size_t end) const {
    const auto sign = value_.substr(at_, end - at_).rfind('@');
    return sign == std::string_view::npos ? at_ : at_ + sign;
  }

  /// What stands before the @ of "jdbc:oracle:thin:scott/tiger@host".
  void hide_before_database() {
    if (at_ < value_.size() && value_[at_] == ':') {
      take(1);
      hide(user_info_end_of(end_of_run(value_, at_, is_no_blank)));
    }
  }

  /// A run like "-Dmy.token" or "--password", and what is assigned to it if it names a secret.
  void take_name() {
    const auto name = value_.substr(at_, end_of_run(value_, at_, is_name_part) - at_);
    const bool is_option = name.starts_with("-");
    take(name.size());
    if (names_secret(name.starts_with("-D") ? name.substr(2) : name) &&
        take_assignment(is_option)) {
      hide_assigned(is_option);
    }
  }

  bool take_assignment(bool is_option) {
    const bool quoted = at_ < value_.size() && is_quote(value_[at_]);
    const std::size_t sign = quoted ? at_ + 1 : at_;
    if (sign >= value_.size()) {
      return false;
    }
    const char c = value_[sign];
    const bool before_blank = sign + 1 < value_.size() && is_blank(value_[sign + 1]);
    if (c != '=' && !(c == ':' && (quoted || before_blank)) && !(is_option && is_blank(c))) {
      return false;
    }
    take(sign + 1 - at_);
    return true;
  }

  /// What is assigned to an option ends at a blank, other values at what joins parameters too.
  void hide_assigned(bool is_option) {
    take(end_of_run(value_, at_, is_blank) - at_);
    if (at_ < value_.size() && is_quote(value_[at_])) {
      const char quote = value_[at_];
      take(1);
      hide(end_of_run(value_, at_, [quote](char c) { return c != quote; }));
      return;
    }
    for (const std::string_view scheme : {"Bearer ", "Basic ", "Token "}) {
      if (value_.substr(at_).starts_with(scheme)) {
        take(scheme.size());
      }
    }
    hide(is_option ? end_of_run(value_, at_, is_no_blank) : end_of_run(value_, at_, is_assigned));
  }

  std::string_view value_;
  std::size_t at_ = 0;
  MaskedText out_;
};

}  // namespace

bool names_secret(std::string_view name) {
  const auto words = words_of(name);
  for (std::size_t at = 0; at < words.size(); ++at) {
    const auto word = without_number(words[at]);
    const std::string_view next = at + 1 < words.size() ? words[at + 1] : std::string_view();
    if (is_secret_word(word) || is_secret_in_place(word, next)) {
      return true;
    }
  }
  return !words.empty() && is_one_of(without_number(words.back()), kSecretLast);
}

MaskedText mask_secrets(std::string_view name, std::string_view value) {
  if (names_secret(name)) {
    return value.empty() ? MaskedText() : MaskedText{std::string(kMask), true};
  }
  return Masking(value).run();
}

std::string mask_argument(const std::string& argument) {
  const auto sign = argument.find('=');
  if (!argument.starts_with("-D") || sign == std::string::npos) {
    return mask_secrets("", argument).text;
  }
  const std::string_view text = argument;
  return argument.substr(0, sign + 1) +
         mask_secrets(text.substr(2, sign - 2), text.substr(sign + 1)).text;
}

}  // namespace hprof
