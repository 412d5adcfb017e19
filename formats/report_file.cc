#include "formats/report_file.h"

#include "common/error.h"
#include "common/input_file.h"
#include "common/output_file.h"
#include "common/text.h"
#include "common/text_input.h"
#include "common/utf8.h"
#include "formats/html/html_report.h"
#include "formats/report/gzip.h"
#include "formats/report/markdown.h"
#include "formats/report/report_json.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <unistd.h>
#include <vector>

namespace hprof {
namespace {

constexpr std::size_t kPiece = 1U << 16U;

struct FormatName {
  ReportFormat format;
  std::string word;
};

const std::vector<FormatName>& format_names() {
  static const std::vector<FormatName> names{{ReportFormat::markdown, "md"},
                                             {ReportFormat::markdown_graphs, "md-graphs"},
                                             {ReportFormat::json, "json"},
                                             {ReportFormat::html, "html"}};
  return names;
}

bool is_gz_name(const std::string& path) {
  return lower_case(path).ends_with(".gz");
}

std::string without_gz(const std::string& path) {
  return is_gz_name(path) ? path.substr(0, path.size() - 3) : path;
}

/// An extension of letters alone that means something else than Markdown; empty if there is none.
std::string foreign_extension(const std::string& path) {
  const std::string name = lower_case(base_name(path));
  const auto dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0) {
    return "";
  }
  const std::string word = name.substr(dot + 1);
  const bool letters =
      std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  const bool text = word.empty() || word == "markdown" || word == "txt" || word == "text";
  return letters && !text ? word : "";
}

std::string read_all(const FileDescriptor& file, const std::string& path) {
  std::string out;
  std::vector<std::uint8_t> piece(kPiece);
  while (const std::size_t count = read_at(file, path, out.size(), piece)) {
    out.append(reinterpret_cast<const char*>(piece.data()), count);
  }
  return out;
}

std::string report_name(const std::string& path) {
  return path == "-" ? "standard input" : printable(path);
}

std::string read_stdin() {
  std::string out;
  std::array<char, kPiece> piece{};
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      fail(ExitCode::io_error, "standard input: reading failed: ", errno_text(errno));
    }
    if (count == 0) {
      return out;
    }
    out.append(piece.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

ReportFormat report_format(const std::string& choice, const std::string& output) {
  const std::string plain = lower_case(without_gz(output));
  for (const auto& name : format_names()) {
    if (choice == name.word || (choice.empty() && plain.ends_with("." + name.word))) {
      return name.format;
    }
  }
  if (choice.empty() && plain.ends_with(".htm")) {
    return ReportFormat::html;
  }
  if (choice.empty() && !foreign_extension(plain).empty()) {
    fail(ExitCode::usage, printable(output), ": no format is known by the extension .",
         printable(foreign_extension(plain)),
         "; name the file .md, .json or .html, or give the format with -f");
  }
  return ReportFormat::markdown;
}

const std::vector<std::string>& report_format_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> out;
    for (const auto& name : format_names()) {
      out.push_back(name.word);
    }
    return out;
  }();
  return words;
}

struct TextOutput::State {
  void put(std::string_view text) {
    if (file) {
      file->write(text);
    } else {
      pending.append(text);
      if (pending.size() > kPiece) {
        write_stdout(pending);
        pending.clear();
      }
    }
  }

  std::optional<OutputFile> file;
  std::optional<GzipEncoder> gzip;
  std::string pending;
};

TextOutput::TextOutput(const std::string& path) : state_(std::make_unique<State>()) {
  if (!path.empty()) {
    state_->file.emplace(path);
  }
  if (is_gz_name(path)) {
    state_->gzip.emplace([state = state_.get()](std::string_view bytes) { state->put(bytes); });
  }
}

TextOutput::~TextOutput() = default;

void TextOutput::write(std::string_view text) {
  if (state_->gzip) {
    state_->gzip->add(text);
  } else {
    state_->put(text);
  }
}

void TextOutput::commit() {
  if (state_->gzip) {
    state_->gzip->finish();
  }
  if (state_->file) {
    state_->file->commit();
  } else {
    write_stdout(state_->pending);
    state_->pending.clear();
  }
}

void write_report(const Report& report, ReportFormat format, const std::string& output) {
  TextOutput out(output);
  switch (format) {
    case ReportFormat::markdown:
      out.write(render_markdown(report, MarkdownStyle::plain));
      break;
    case ReportFormat::markdown_graphs:
      out.write(render_markdown(report, MarkdownStyle::graphs));
      break;
    case ReportFormat::json:
      write_json(report, out);
      break;
    case ReportFormat::html:
      out.write(render_html(report));
      break;
  }
  out.commit();
}

std::string read_report_text(const std::string& path) {
  std::string bytes = path == "-" ? read_stdin() : read_all(open_text_input(path), path);
  return is_gzip(bytes) ? gunzip(bytes, report_name(path)) : bytes;
}

Report read_report(const std::string& path) {
  return parse_json(read_report_text(path), report_name(path));
}

}  // namespace hprof
