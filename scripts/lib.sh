# Shared by the scripts beside it; sourced, not run.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${0##*/}

# One sentence on stderr, then the exit status.
die() {
  local status=$1
  shift
  printf '%s: error: %s\n' "$program" "$*" >&2
  exit "$status"
}

# Runs a command quietly; when it fails, shows what it said and one sentence.
quietly() {
  local what=$1 log
  shift
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    rm -f "$log"
    die 1 "$what failed"
  fi
  rm -f "$log"
}

# configure DIR OPTION...: a Meson build folder with these options.
configure() {
  local dir=$1
  shift
  if [[ -f $dir/build.ninja ]]; then
    quietly "configuring $dir" meson setup --reconfigure "$dir" "$root" "$@"
  else
    quietly "configuring $dir" meson setup "$dir" "$root" "$@"
  fi
}
