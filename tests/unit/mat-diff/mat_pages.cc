// The sample heap: 100,000 bytes, one cache of another loader that holds 60 % of it, byte arrays
// and class objects.
#include "tests/unit/mat-diff/mat_pages.h"

#include "common/concat.h"
#include "common/text.h"
#include "tests/support/files.h"
#include "tests/unit/mat-diff/zip_builder.h"

#include <stdexcept>

namespace hprof::test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

const std::string kOverviewTable = mat_table({},
                                             {{"Used heap dump", "97.7 KB"},
                                              {"Number of objects", "1,000"},
                                              {"Number of classes", "4"},
                                              {"Number of class loaders", "2"},
                                              {"Number of GC roots", "7"},
                                              {"Format", "hprof"},
                                              {"JVM version", "java version \"17\"\nserver VM"},
                                              {"Time", "9:26:11\u202fPM UTC"},
                                              {"Date", "Nov 29, 2026"},
                                              {"Identifier size", "64-bit"},
                                              {"Compressed object pointers", "true"},
                                              {"File path", "/dumps/sample.hprof"},
                                              {"Multiple snapshot identifier", "#2"},
                                              {"File length", "123,456"}},
                                             {"Total: 14 entries", ""});

std::string histogram_table() {
  return mat_table({"Class Name", "Objects", "Shallow Heap", "Retained Heap"},
                   {{object_cell(0x1000, "app.Cache"), "10", "400", "&gt;= 60,000"},
                    {object_cell(0x1010, "byte[]"), "700", "50,000", "&gt;= 50,000"},
                    {object_cell(0x1020, "app.Node"), "286", "49,500", "&gt;= 49,500"},
                    {object_cell(0x1030, "java.lang.Class"), "4", "100", "&gt;= 2,000"}},
                   {"Total: 4 entries", "1,000", "100,000", ""});
}

std::string objects_table() {
  return mat_table(
      {"Class Name", "Shallow Heap", "Retained Heap"},
      {{object_cell(0x2000, "app.Cache @ 0x2000  the &lt;cache&gt;") + " &raquo;", "40", "60,000"},
       {object_cell(0x2010, "byte[1000] @ 0x2010") + " <strong>JNI Global</strong>", "1,016",
        "12,345"},
       {object_cell(0x1020, "class app.Node @ 0x1020"), "8", "5,000"}},
      {"Total: 3 entries", "", ""});
}

std::string classes_table() {
  return mat_table(
      {"Label", "Number of Objects", "Used Heap Size", "Retained Heap Size", "Retained Heap, %"},
      {{object_cell(0x1000, "app.Cache"), "1", "40", "60,000", "60.00%"},
       {object_cell(0x1010, "byte[]"), "3", "3,048", "12,345", "12.35%"},
       {object_cell(0x1030, "java.lang.Class"), "4", "32", "12,345", "12.35%"}},
      {"Total: 3 entries", "8", "3,120", "84,690", ""});
}

std::string loaders_table() {
  return mat_table(
      {"Label", "Number of Objects", "Used Heap Size", "Retained Heap Size", "Retained Heap, %"},
      {{object_cell(0x3000, "app.Loader @ 0x3000"), "1", "40", "60,000", "60.00%"},
       {object_cell(0, "&lt;system class loader&gt;"), "7", "3,080", "40,000", "40.00%"}},
      {"Total: 2 entries", "8", "3,120", "100,000", ""});
}

std::string threads_table() {
  return mat_table({"Object / Stack Frame", "Name", "Shallow Heap", "Retained Heap",
                    "Max. Locals' Retained Heap", "Context Class Loader", "Is Daemon", "Priority",
                    "State", "State value"},
                   {{object_cell(0x5000, "java.lang.Thread @ 0x5000") + " &raquo;", "main", "104",
                     "2,000", "", "app.Loader @ 0x3000", "false", "5",
                     "[alive, parked, waiting, waiting indefinitely]", "0x291"},
                    {object_cell(0x5100, "java.lang.VirtualThread @ 0x5100"), "", "152", "1,500",
                     "", "", "", "", "", ""}},
                   {"Total: 2 entries", "", "256", "3,500", "", "", "", "", "", ""});
}

std::string package_cell(const std::string& art, const std::string& name) {
  return art + "<img src=\"p.gif\" alt=\"\"><ul><li>" + name +
         "<br><a href=\"mat://query/x\">All</a></li></ul>";
}

std::string packages_table() {
  const Rows rows{{package_cell("", "&lt;all&gt;"), "100,000", "100.00%", "8"},
                  {package_cell("+", "app"), "65,000", "65.00%", "2"},
                  {package_cell("|+", "Cache"), "60,000", "60.00%", "1"},
                  {package_cell("|\\", "Node"), "5,000", "5.00%", "1"},
                  {package_cell("\\", "java"), "12,345", "12.35%", "4"},
                  {package_cell(".\\", "lang"), "12,345", "12.35%", "4"}};
  return mat_table({"Package", "Retained Heap", "Retained Heap, %", "# Top Dominators"}, rows);
}

std::string heading(const std::string& level, const std::string& text,
                    const std::string& href = {}) {
  const auto link = href.empty() ? text : "<a href=\"" + href + "\">" + text + "</a>";
  return "<" + level + "><a href=\"#\"><img alt=\"\"></a> " + link +
         " <a href=\"mat://query/q\"></a></" + level + ">";
}

/// A finding of a component, told in a sentence, with a page of details.
std::string finding(const std::string& title, const std::string& href) {
  return heading("h4", title) + "<p>Something found.</p><p><a href=\"" + href +
         "\">Details &raquo;</a></p>";
}

Pages overview_pages(const std::string& first, const std::string& to_pages) {
  Pages pages;
  pages[first] = mat_page(
      "System Overview",
      heading("h1", "System Overview") + heading("h5", "Heap Dump Overview") + kOverviewTable +
          heading("h5", "System Properties", to_pages + "System_Properties3.html") +
          heading("h5", "Thread Overview", to_pages + "Thread_Overview4.html") +
          heading("h2", "Top Consumers", to_pages + "Top_Consumers5.html") +
          heading("h5", "Class Histogram", to_pages + "Class_Histogram6.html"));
  pages["pages/System_Properties3.html"] = mat_page(
      "System Properties",
      heading("h5", "System Properties") +
          mat_table({"Key", "Value"}, {{"a", "1"}, {"line.separator", "\\u000a"}}, {"", ""}));
  pages["pages/Thread_Overview4.html"] =
      mat_page("Thread Overview", heading("h5", "Thread Overview") + threads_table());
  pages["pages/Top_Consumers5.html"] =
      mat_page("Top Consumers",
               heading("h2", "Top Consumers") + heading("h5", "Biggest Objects") + objects_table() +
                   heading("h5", "Biggest Top-Level Dominator Classes") + classes_table() +
                   heading("h5", "Biggest Top-Level Dominator Class Loaders") + loaders_table() +
                   heading("h5", "Biggest Top-Level Dominator Packages") + packages_table());
  pages["pages/Class_Histogram6.html"] =
      mat_page("Class Histogram", heading("h5", "Class Histogram") + histogram_table());
  return pages;
}

std::string bold(const std::string& text) {
  return "<strong><q>" + text + "</q></strong>";
}

std::string suspect(const std::string& number, const std::string& prose, const std::string& page) {
  return heading("h3", "Problem Suspect " + number) + "<div class=\"important\"><div><p>" + prose +
         "<p><strong>Keywords</strong></p><ul><li>app.Cache</li></ul></div><div><a href=\"" + page +
         "\">Details &raquo;</a></div></div>";
}

/// An object on a path, with the field by which it references the one before.
std::string step_cell(std::uint64_t address, const std::string& label, const std::string& field,
                      const std::string& art) {
  return replaced(object_cell(address, label, art), "<li><a",
                  "<li><strong>" + field + "</strong> <a");
}

/// `path` goes from the accumulation point to a GC root.
std::string single_details(const std::string& suspect_row, const std::string& shallow,
                           const std::string& retained, const Rows& path) {
  auto table = mat_table({"Class Name", "Shallow Heap", "Retained Heap"}, path);
  const auto last = table.rfind("<tr><td>");
  table.replace(last, 8, "<tr class=\"selected\"><td>");
  return mat_page("Description",
                  heading("h5", "Description") +
                      heading("h5", "Shortest Paths To the Accumulation Point") + table +
                      heading("h5", "Accumulated Objects in Dominator Tree") +
                      mat_table({"Class Name", "Shallow Heap", "Retained Heap", "Percentage"},
                                {{suspect_row, shallow, retained, "60.00%"}}));
}

std::string group_details() {
  auto table = mat_table(
      {"Class Name", "Referenced Objects", "Shallow Heap", "Ref. Shallow Heap", "Retained Heap"},
      {{object_cell(0x2200, "java.lang.Thread @ 0x2200"), "3", "112", "480", "30,000"},
       {object_cell(0x2210, "other @ 0x2210", "+"), "3", "1", "2", "3"},
       {object_cell(0x2100, "app.Node @ 0x2100", "\\"), "3", "24", "480", "20,000"}});
  table = replaced(table, "<tr><td>\\", "<tr class=\"selected\"><td>\\");
  return mat_page("Description",
                  heading("h5", "Suspect Objects by Class") +
                      mat_table({"Class Name", "Objects", "Shallow Heap", "Retained Heap"},
                                {{object_cell(0x1010, "byte[]"), "3", "3,048", "30,500"}}) +
                      heading("h5", "Common Path To the Accumulation Point") + table);
}

/// What MAT says of the thread that keeps the first suspect alive.
std::string thread_text() {
  const std::string thread = "java.lang.Thread @ 0x2200  main";
  return "<p>Thread " + bold(thread) + " has a local variable or reference to " +
         bold("app.Cache @ 0x2000") + " which is on the shortest path to " +
         bold("app.Node @ 0x2110") + ". The thread <strong>" + thread +
         "</strong> keeps local variables with total size <strong>500 (0.50%)</strong> bytes. The "
         "top consumers of its minimum retained heap are " +
         bold("char[]") +
         " (1 instance totaling 24). </p><p>Significant stack frames and local variables</p><ul>"
         "<li>app.Main.run()V (Main.java:12)<ul><li>app.Cache @ 0x2000 retains 60,000 (60.00%) "
         "bytes</li></ul></li></ul>";
}

}  // namespace

std::string mat_page(const std::string& title, const std::string& content) {
  return "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\"><html><head><meta "
         "http-equiv=\"Content-type\" content=\"text/html;charset=UTF-8\"><title>" +
         title + "</title></head><body><div id=\"header\"><ul><li>here</li></ul></div>\n" +
         "<div id=\"content\">" + content +
         "<br></div><div id=\"footer\">foot</div>\n</body></html>";
}

std::string mat_table(const std::vector<std::string>& columns, const Rows& rows,
                      const std::vector<std::string>& totals) {
  std::string out = "<table class=\"result\">";
  if (!columns.empty()) {
    out += "<thead><tr>";
    for (const auto& column : columns) {
      out += "<th>" + column + "</th>";
    }
    out += "</tr></thead>";
  }
  out += "<tbody>";
  for (const auto& row : rows) {
    out += "<tr>";
    for (const auto& cell : row) {
      out += "<td>" + cell + "</td>";
    }
    out += "</tr>";
  }
  for (std::size_t i = 0; i < totals.size(); ++i) {
    out += i == 0 ? "<tr class=\"totals\"><td><ul><li>" + totals[i] + "</li></ul></td>"
                  : "<td>" + totals[i] + "</td>";
  }
  return out + (totals.empty() ? "" : "</tr>") + "</tbody></table>";
}

std::string object_cell(std::uint64_t address, const std::string& label, const std::string& art) {
  return art + "<img alt=\"\"><ul><li><a href=\"mat://object/" + hex_address(address) + "\">" +
         label + "</a><br><a href=\"mat://query/q\">All objects</a></li></ul>";
}

Pages sample_overview() {
  return overview_pages("index.html", "pages/");
}

Pages sample_suspects() {
  auto pages = overview_pages("pages/System_Overview2.html", "../pages/");
  const auto loader = bold("app.Loader @ 0x3000");
  const auto system = bold("&lt;system class loader&gt;");
  pages["index.html"] = mat_page(
      "Leak Suspects",
      heading("h1", "Leak Suspects") +
          heading("h2", "System Overview", "pages/System_Overview2.html") +
          suspect("1",
                  "One instance of " + bold("app.Cache") + " loaded by " + loader +
                      " occupies <strong>60,000 (60.00%)</strong> bytes. The top consumers of its "
                      "minimum retained heap are " +
                      bold("app.Node") + " (250 instances totaling 40,000), " + bold("byte[]") +
                      " (20 instances totaling 19,000), and " + bold("app.Cache") +
                      " (1 instance totaling 40). The memory is accumulated in one instance of " +
                      bold("app.Node") + ", loaded by " + loader +
                      ", which occupies <strong>59,000 (59.00%)</strong> bytes." + thread_text(),
                  "pages/21.html") +
          suspect("2",
                  "3 instances of " + bold("byte[]") + ", loaded by " + system +
                      " occupy <strong>30,000 (30.00%)</strong> bytes. <p>Most of these instances "
                      "are referenced from one instance of " +
                      bold("app.Node") + ", loaded by " + loader +
                      ", which occupies <strong>20,000 (20.00%)</strong> bytes. ",
                  "pages/22.html") +
          suspect("3",
                  "The class " + bold("app.Node") + ", loaded by " + loader +
                      ", occupies <strong>12,345 (12.35%)</strong> bytes. The memory is "
                      "accumulated in class " +
                      bold("app.Node") + ", loaded by " + loader +
                      ", which occupies <strong>12,345 (12.35%)</strong> bytes.",
                  "pages/23.html"));
  pages["pages/21.html"] = single_details(
      object_cell(0x2000, "app.Cache @ 0x2000"), "40", "60,000",
      {{object_cell(0x2110, "app.Node @ 0x2110"), "24", "59,000"},
       {step_cell(0x2000, "app.Cache @ 0x2000", "head", "\\"), "40", "60,000"},
       {step_cell(0x2200, "java.lang.Thread @ 0x2200  main", "&lt;Java Local&gt;", ".\\"), "112",
        "500"}});
  pages["pages/22.html"] = group_details();
  pages["pages/23.html"] =
      single_details(object_cell(0x1020, "class app.Node @ 0x1020"), "8", "12,345",
                     {{object_cell(0x1020, "class app.Node @ 0x1020"), "8", "12,345"}});
  return pages;
}

Pages sample_components() {
  Pages pages;
  pages["index.html"] = mat_page(
      "Top Components", heading("h1", "Top Components") +
                            heading("h2", "app.Loader @ 0x3000 (60%)", "pages/a.html") +
                            heading("h2", "&lt;system class loader&gt; (40%)", "pages/b.html"));
  const std::string sizes =
      "<div><p>Size: <strong>64 KB</strong> Classes: <strong>3</strong> Objects: "
      "<strong>0.9k</strong> Class Loader: <strong>1</strong></div>";
  pages["pages/a.html"] =
      mat_page("app.Loader @ 0x3000 (60%)",
               heading("h2", "app.Loader @ 0x3000 (60%)") + sizes +
                   heading("h4", "Top Consumers", "../pages/Top_Consumers7.html") +
                   heading("h5", "Retained Set", "../pages/Retained_Set8.html") +
                   finding("Empty Collections", "../pages/9.html") +
                   finding("Zero-Length Arrays", "../pages/10.html") +
                   finding("Soft Reference Statistics", "../pages/11.html") +
                   finding("Weak Reference Statistics", "../pages/12.html") +
                   finding("Finalizer Statistics", "../pages/13.html") +
                   finding("Array Fill Ratios", "../pages/14.html"));
  const std::vector<std::string> lengths{"Length", "Single Instance Size", "# Objects",
                                         "Shallow Heap", "Retained Heap"};
  pages["pages/10.html"] = mat_page(
      "Zero-Length Arrays",
      heading("h5", "Comment") + "<p>No excessive usage of zero-length arrays found.</p>" +
          heading("h5", "Details") + heading("h5", "byte[]") +
          mat_table(lengths,
                    {{"64<br>All 590 objects", "80", "590", "39,840", ">= 39,840"},
                     {"0<br>All 10 objects", "16", "10", "160", ">= 160"}},
                    {"Total: 2 entries", "", "600", "40,000", ""}) +
          heading("h5", "app.Cache[]") +
          mat_table(lengths,
                    {{"5<br>All 5 objects", "36", "5", "176", "176"}, {"0", "16", "1", "16", "16"}},
                    {"Total: 2 entries", "", "6", "192", ""}));
  pages["pages/11.html"] =
      mat_page("Soft Reference Statistics",
               heading("h5", "Comment") + heading("h5", "Histogram of Soft References") +
                   mat_table({"Class Name", "Objects", "Shallow Heap", "Retained Heap"},
                             {{object_cell(0x1050, "app.Soft"), "5", "200", "400"}}) +
                   heading("h5", "Histogram of Softly Referenced") +
                   mat_table({"Class Name", "Objects", "Shallow Heap"},
                             {{object_cell(0x1000, "app.Cache"), "3", "120"},
                              {object_cell(0x1010, "byte[]"), "1", "16"}},
                             {"Total: 2 entries", "4", "136"}));
  pages["pages/12.html"] =
      mat_page("Weak Reference Statistics",
               heading("h5", "Comment") + "<p>Component does not keep Weak References alive.</p>");
  pages["pages/13.html"] = mat_page("Finalizer Statistics",
                                    heading("h5", "Comment") +
                                        heading("h5", "Histogram of Objects with Finalize Method") +
                                        mat_table({"Class Name", "Objects", "Shallow Heap"},
                                                  {{object_cell(0x1000, "app.Cache"), "2", "80"}}));
  pages["pages/14.html"] = mat_page(
      "Array Fill Ratios",
      heading("h5", "Comment") + heading("h5", "Details") + heading("h5", "app.Cache[]") +
          mat_table({"Fill Ratio", "# Objects", "Shallow Heap", "Wasted Heap", "Retained Heap"},
                    {{"&lt;= 0.00<br>All 2 objects", "2", "48", "31", ">= 48"},
                     {"&lt;= 0.40", "1", "40", "17", "40"},
                     {"&lt;= 0.60", "1", "56", "16", "56"},
                     {"&lt;= 1.00<br>All 2 objects", "2", "48", "0", ">= 48"}},
                    {"Total: 4 entries", "6", "192", "64", ""}));
  pages["pages/b.html"] = mat_page("&lt;system class loader&gt; (40%)",
                                   heading("h2", "&lt;system class loader&gt; (40%)"));
  pages["pages/Top_Consumers7.html"] = mat_page(
      "Top Consumers",
      heading("h5", "Biggest Objects") +
          mat_table({"Class Name", "Shallow Heap", "Retained Heap"},
                    {{object_cell(0x2000, "app.Cache @ 0x2000"), "40", "60,000"},
                     {object_cell(0x9000, "small @ 0x9000"), "16", "700"}}) +
          heading("h5", "Biggest Top-Level Dominator Class Loaders") +
          mat_table({"Label", "Number of Objects", "Used Heap Size", "Retained Heap Size",
                     "Retained Heap, %"},
                    {{object_cell(0x3000, "app.Loader @ 0x3000"), "1", "40", "60,000", "91.60%"}}) +
          heading("h5", "Biggest Top-Level Dominator Classes") +
          mat_table({"Label", "Number of Objects", "Used Heap Size", "Retained Heap Size",
                     "Retained Heap, %"},
                    {{object_cell(0x1000, "app.Cache"), "1", "40", "60,000", "91.60%"}},
                    {"Total: 1 entry", "1", "40", "60,000", ""}) +
          heading("h5", "Biggest Top-Level Dominator Packages") +
          mat_table({"Package", "Retained Heap", "Retained Heap, %", "# Top Dominators"},
                    {{package_cell("", "&lt;all&gt;"), "65,500", "100.00%", "3"},
                     {package_cell("\\", "app"), "60,000", "91.60%", "1"}}));
  pages["pages/Retained_Set8.html"] =
      mat_page("Retained Set", heading("h5", "Retained Set") +
                                   mat_table({"Class Name", "Objects", "Shallow Heap"},
                                             {{object_cell(0x1010, "byte[]"), "600", "40,000"},
                                              {object_cell(0x1000, "app.Cache"), "10", "400"}},
                                             {"Total: 2 of 3 entries; 1 more", "940", "65,500"}));
  return pages;
}

std::string replaced(const std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos) {
    throw std::runtime_error("not exactly once in the page: " + from);
  }
  return text.substr(0, at) + to + text.substr(at + from.size());
}

void write_exports(const std::string& folder, const std::string& name, const Pages& overview,
                   const Pages& suspects, const Pages& components) {
  write_file(folder + "/" + name + "_System_Overview.zip", zip_of(overview));
  write_file(folder + "/" + name + "_Leak_Suspects.zip", zip_of(suspects));
  write_file(folder + "/" + name + "_Top_Components.zip", zip_of(components));
}

}  // namespace hprof::test
