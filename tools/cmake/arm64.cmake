# Toolchain: Debian's cross compiler for arm64. Its libraries are installed beside those of this machine;
# qemu runs the programs.
#
#   dpkg --add-architecture arm64 && apt-get update
#   apt-get install g++-aarch64-linux-gnu qemu-user libbenchmark-dev:arm64 …
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
# Packages are looked for in /usr/lib/aarch64-linux-gnu, never in the folder of this machine's packages.
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
