#include "formats/stage_run.h"

#include "common/byte_cursor.h"
#include "tests/support/files.h"

#include <doctest/doctest.h>

using namespace hprof;
using test::TempFolder;

TEST_CASE("the dump is never taken for the output, whatever it is called") {
  const TempFolder folder;
  test::write_file(folder / "renamed", as_bytes("a dump of sorts"));
  test::write_file(folder / "other", as_bytes("a dump of sort5"));
  const auto identity = identify_dump(folder / "renamed", 0, 1);
  CHECK_THROWS_AS(refuse_overwriting_dump(folder / "renamed", identity), Error);
  CHECK_NOTHROW(refuse_overwriting_dump(folder / "other", identity));
  CHECK_NOTHROW(refuse_overwriting_dump(folder / "missing", identity));
  CHECK_NOTHROW(refuse_overwriting_dump("", identity));
}

TEST_CASE("a stage file that names no dump is damaged, the folder beside it is no dump") {
  const TempFolder folder;
  for (const auto find : {find_dump, find_optional_dump}) {
    try {
      find("", folder / "x.index", {});
      FAIL("found a dump without a name");
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::bad_data);
      CHECK(std::string(error.what()).find("does not name the dump") != std::string::npos);
    }
  }
}
