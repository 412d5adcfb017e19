#pragma once

#include "formats/mat/mat_figures.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

struct MatProperty {
  std::string name;
  std::string value;

  bool operator==(const MatProperty&) const = default;
};

/// A row of a ranked table: histogram, biggest objects, classes or class loaders. Columns that the
/// table lacks are empty.
struct MatRow {
  std::string label;
  std::optional<std::uint64_t> address;  ///< of the object, the class object or the loader
  std::optional<MatFigure> objects;
  std::optional<MatFigure> shallow;
  std::optional<MatFigure> retained;
  std::optional<MatPercent> share;
  std::string reference = {};  ///< what stands before the object: on paths the field

  bool operator==(const MatRow&) const = default;
};

/// A ranked table. MAT prints the first rows (25 by default) and sums over all that the table has.
struct MatRanking {
  std::vector<MatRow> rows;
  std::uint64_t entries = 0;     ///< rows that the table has, printed or not
  std::optional<MatRow> totals;  ///< MAT's row of sums, if printed

  bool operator==(const MatRanking&) const = default;
};

/// A node of the package tree; the tree is kept as a list in the order of the page.
struct MatPackage {
  std::string name;
  std::optional<std::size_t> parent;  ///< position in the list
  std::optional<MatFigure> retained;
  std::optional<MatPercent> share;
  std::optional<MatFigure> dominators;
  std::uint64_t children = 0;  ///< that it has, printed or not

  bool operator==(const MatPackage&) const = default;
};

enum class MatSuspectKind { object, thread, class_object, loader, group };

/// What a suspect's memory piles up in.
struct MatAccumulation {
  MatSuspectKind kind = MatSuspectKind::object;
  std::string name;                      ///< class of the object, class represented, or loader
  std::optional<std::string> loader;     ///< where the sentence names one
  std::optional<std::uint64_t> address;  ///< from the page of details
  std::optional<MatFigure> shallow;      ///< from the page of details
  MatFigure retained;
  MatPercent share;

  bool operator==(const MatAccumulation&) const = default;
};

/// A class among the top consumers of what a suspect retains.
struct MatConsumer {
  std::string name;
  std::uint64_t instances = 0;
  MatFigure shallow;

  bool operator==(const MatConsumer&) const = default;
};

/// A local variable that a suspect's text names, and a stack frame with such ones.
struct MatLocal {
  std::string label;
  std::optional<std::uint64_t> address;
  MatFigure retained;
  MatPercent share;

  bool operator==(const MatLocal&) const = default;
};
struct MatFrame {
  std::string text;
  std::vector<MatLocal> locals;

  bool operator==(const MatFrame&) const = default;
};

/// A thread whose retained size a suspect's text gives.
struct MatKeeper {
  std::string label;
  std::optional<std::uint64_t> address;
  MatFigure retained;
  MatPercent share;

  bool operator==(const MatKeeper&) const = default;
};

struct MatSuspect {
  std::uint64_t number = 0;
  MatSuspectKind kind = MatSuspectKind::object;
  std::string name;  ///< class, class represented, or "CLASS @ 0xADDRESS …" of threads and loaders
  std::uint64_t instances = 1;
  std::optional<std::string> loader;     ///< where the sentence names one
  std::optional<std::uint64_t> address;  ///< of the object, for a group of its class object
  std::optional<MatFigure> shallow;      ///< from the page of details
  MatFigure retained;
  MatPercent share;
  std::optional<MatAccumulation> accumulation;
  std::vector<MatRow> common_path;  ///< of a group, from a GC root to the accumulation point
  std::optional<std::vector<MatRow>> why_alive;  ///< from the accumulation point to a GC root;
                                                 ///< empty: the page has no such path
  std::vector<MatConsumer> consumers;            ///< of what the suspect retains
  std::vector<MatKeeper> threads;                ///< named beside the suspect
  std::vector<std::string> on_path;              ///< objects said to lie on the shortest path
  std::vector<std::string> referrers;            ///< objects said to reference the instance
  std::vector<MatFrame> frames;                  ///< significant ones
  std::vector<std::string> keywords;
  std::uint64_t further_figures = 0;  ///< set in bold or in lists but without counterpart

  bool operator==(const MatSuspect&) const = default;
};

/// The arrays of one class: by length, those with most bytes, or by how much of them is used.
struct MatArrayClass {
  std::string name;
  MatRanking rows;

  bool operator==(const MatArrayClass&) const = default;
};

/// One class loader's part of the Top Components report.
struct MatComponent {
  std::string label;
  std::optional<std::uint64_t> address;
  MatPercent share;
  std::vector<MatProperty> figures;  ///< "Size", "Classes", "Objects", "Class Loader" as printed
  std::optional<MatRanking> objects;
  std::optional<MatRanking> classes;
  std::optional<MatRanking> loaders;
  std::vector<MatPackage> packages;
  std::optional<MatRanking> histogram;  ///< of the retained set
  std::optional<std::vector<MatArrayClass>> arrays;
  std::optional<std::vector<MatArrayClass>> array_fill;
  std::optional<MatRanking> soft_references;  ///< by class
  std::optional<MatRanking> softly_referenced;
  std::optional<MatRanking> weak_references;
  std::optional<MatRanking> weakly_referenced;
  std::optional<MatRanking> with_finalizer;
  std::vector<std::string> findings;  ///< further headings

  bool operator==(const MatComponent&) const = default;
};

/// A row of the thread overview; what the page leaves empty is empty.
struct MatThread {
  std::string label;                     ///< class and address
  std::optional<std::uint64_t> address;  ///< of the thread object
  std::string name;
  std::optional<MatFigure> shallow;
  std::optional<MatFigure> retained;
  std::string context_class_loader;  ///< class and address
  std::string daemon;                ///< "true" or "false"
  std::string priority;
  std::string state;        ///< "[alive, runnable]"
  std::string state_value;  ///< "0x5"

  bool operator==(const MatThread&) const = default;
};

/// A list of which a page prints the first rows.
template <typename Row>
struct MatList {
  std::vector<Row> rows;
  std::uint64_t entries = 0;  ///< rows that the list has, printed or not

  bool operator==(const MatList&) const = default;
};

/// Everything that is compared of a MAT export; sections that the export lacks are empty.
struct MatExport {
  std::vector<std::string> sources;  ///< archives, folders or pages read
  std::optional<std::vector<MatProperty>> overview;
  std::optional<MatRanking> histogram;
  std::optional<MatRanking> objects;
  std::optional<MatRanking> classes;
  std::optional<MatRanking> loaders;
  std::optional<std::vector<MatPackage>> packages;
  std::optional<std::vector<MatSuspect>> suspects;
  std::optional<std::vector<MatComponent>> components;
  std::optional<MatList<MatThread>> threads;
  std::optional<MatList<MatProperty>> system_properties;
};

/// Reads a zip archive, one page, a folder (unpacked, or holding the archives of one dump), or,
/// given DIR/NAME, the archives DIR/NAME_System_Overview.zip, _Leak_Suspects.zip and
/// _Top_Components.zip that are there. Made for MAT 1.17 in English. Error(no_input) when nothing
/// is there, Error(bad_data) for anything else than such an export, or for exports of several
/// dumps.
MatExport read_mat_export(const std::string& where);

}  // namespace hprof
