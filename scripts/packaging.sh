# Shared by release and package-deb; sourced after lib.sh, not run.
# shellcheck shell=bash disable=SC2034,SC2154

# take_packaging_options ARGUMENT...: sets build and output, makes the build where none is named, brings it up to date,
# and sets SOURCE_DATE_EPOCH.
take_packaging_options() {
  build='' output=$root/dist
  while [[ $# -gt 0 ]]; do
    case $1 in
      -h | --help)
        sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"
        exit 0
        ;;
      --build | --output)
        [[ $# -gt 1 ]] || die 64 "$1 needs a folder"
        printf -v "${1#--}" '%s' "$2"
        shift
        ;;
      *) die 64 "unknown argument \"$1\"; see --help" ;;
    esac
    shift
  done
  if [[ -z $build ]]; then
    build=$root/build-static
    configure "$build" --buildtype=release -Dstatic=true -Dtests=false
  fi
  [[ -f $build/build.ninja ]] || die 66 "$build is no build folder"
  quietly "building $build" ninja -C "$build" installed
  if [[ -z ${SOURCE_DATE_EPOCH-} ]]; then
    SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null) ||
      die 69 "this is no git checkout; set SOURCE_DATE_EPOCH to the time that files shall have"
  fi
  export SOURCE_DATE_EPOCH
}

introspected() {
  meson introspect "$build" "$1" | python3 -c "import json, sys; data = json.load(sys.stdin); $2"
}

option_is() {
  [[ $(introspected --buildoptions "print(next(str(o['value']).lower() for o in data if o['name'] == '$1'))") == "$2" ]]
}

project_version() {
  introspected --projectinfo "print(data['version'])"
}

# install_into FOLDER: what meson installs, with FOLDER in the place of the prefix.
install_into() {
  local staging prefix
  staging=$(mktemp -d)
  prefix=$(introspected --buildoptions "print(next(o['value'] for o in data if o['name'] == 'prefix'))")
  (
    umask 022
    quietly "installing from $build" meson install -C "$build" --no-rebuild --destdir "$staging"
  )
  mkdir -p -- "$(dirname "$1")"
  mv -- "$staging$prefix" "$1"
  rm -rf -- "$staging"
}
