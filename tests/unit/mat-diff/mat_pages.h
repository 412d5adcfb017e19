#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hprof::test {

/// The files of one export by name.
using Pages = std::map<std::string, std::string>;

/// A page as MAT frames it.
std::string mat_page(const std::string& title, const std::string& content);

/// A result table; every row is a list of cells that are put in as they are.
std::string mat_table(const std::vector<std::string>& columns,
                      const std::vector<std::vector<std::string>>& rows,
                      const std::vector<std::string>& totals = {});

/// A cell that names an object and links to it, with the tree art before it where there is any.
std::string object_cell(std::uint64_t address, const std::string& label,
                        const std::string& art = {});

/// A small heap as MAT would export it: System Overview, Leak Suspects and Top Components.
Pages sample_overview();
Pages sample_suspects();
Pages sample_components();

/// Our report of the same heap; it agrees with the export in every field.
nlohmann::json sample_report();

/// `text` with the one place of `from` replaced; throws when it is not there.
std::string replaced(const std::string& text, const std::string& from, const std::string& to);

/// The three exports as FOLDER/NAME_System_Overview.zip and so on.
void write_exports(const std::string& folder, const std::string& name, const Pages& overview,
                   const Pages& suspects, const Pages& components);

}  // namespace hprof::test
