#!/bin/sh
# copies_test.sh RUN_COPY SEEDS PLUGIN ZOO…: in copies of each program its features have the checksums
# that they have in the program, also where the original code of what was moved is traps.
# copies_test.sh --builds RUN_COPY SEEDS SOURCES COMPILER…: the same for builds with many flags. What
# is not built, does not run by itself here, or has text relocations is left out. Switches of -O0 and the assembly of a
# static libc have code that leads to the originals: no traps there.
set -u
failures=0
check() {  # PROGRAM, [--traps]
  want=$("$1" ${plugin:+"$plugin"}) || { echo "$1 fails by itself"; return 1; }
  seed=1
  while [ "$seed" -le "$seeds" ]; do
    got=$("$run_copy" ${2:+"$2"} "$seed" "$1" ${plugin:+"$plugin"} 2>&1)
    case $got in *"(text relocations)") echo "$got"; return 1 ;; esac
    if [ "$got" != "$want" ]; then
      printf '%s with seed %s %s:\n%s\nin place of\n%s\n' "$1" "$seed" "${2-}" "$got" "$want"
      failures=1
      return 0
    fi
    seed=$((seed + 1))
  done
}
if [ "$1" != --builds ]; then
  run_copy=$1 seeds=$2 plugin=$3
  shift 3
  for zoo; do
    if ! check "$zoo" || ! check "$zoo" --traps; then failures=1; fi
  done
  exit "$failures"
fi
run_copy=$2 seeds=$3 sources=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for compiler; do
  command -v "$compiler" >/dev/null || continue
  "$compiler" -std=c++17 -O2 -shared -fPIC "$sources/zoo_plugin.cc" -o "$work/plugin.so" || exit 1
  while read -r traps flags; do
    # shellcheck disable=SC2086  # they are several
    "$compiler" -std=c++17 -w $flags -fPIE -rdynamic "$sources/zoo.cc" -o "$work/zoo" -pthread -ldl \
      2>/dev/null || { echo "not built by $compiler: $flags"; continue; }
    echo "$compiler $flags"
    plugin=$work/plugin.so
    [ "$flags" != "-static-pie -O2" ] || plugin=  # a static program has no symbols for it
    check "$work/zoo" || continue
    [ "$traps" = no ] || check "$work/zoo" --traps
    [ -n "$plugin" ] || continue
    # shellcheck disable=SC2086
    "$compiler" -std=c++17 -w ${flags#-pie} -fPIC -shared -Dmain=ZooMain "$sources/zoo.cc" \
      -Wl,-soname,libzoo.so -o "$work/libzoo.so" -pthread -ldl &&
      "$compiler" -fPIE -pie "$sources/zoo_host.cc" "$work/libzoo.so" -Wl,-rpath,"$work" \
        -o "$work/host" || { failures=1; continue; }
    check "$work/host" || continue
    [ "$traps" = no ] || check "$work/host" --traps
  done <<FLAGS
no -pie -O0 -g
yes -pie -O2
yes -pie -O2 -DZOO_TARGET_CLONES
yes -pie -O3 -march=native -ffunction-sections -fdata-sections -Wl,--gc-sections,--emit-relocs
yes -pie -Os
yes -pie -Os -fuse-ld=gold -Wl,--icf=all -ffunction-sections
yes -pie -O3 -fuse-ld=lld -Wl,--icf=all -ffunction-sections
yes -pie -O3 -fuse-ld=lld -Wl,--pack-dyn-relocs=relr
yes -pie -O2 -fuse-ld=mold
yes -pie -O2 -flto
yes -pie -O2 -fcf-protection -fno-plt -Wl,-z,relro,-z,now -static-libstdc++ -static-libgcc
yes -pie -O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection
yes -pie -O2 -Wl,-z,pack-relative-relocs -s
yes -pie -O2 -mcmodel=medium
yes -pie -O2 -fno-omit-frame-pointer -funroll-loops -falign-functions=64
no -static-pie -O2
FLAGS
done
exit "$failures"
