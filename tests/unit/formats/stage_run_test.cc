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
