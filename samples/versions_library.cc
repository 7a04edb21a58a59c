// The library of samples/versions.cc, in version 1 or 2: a checksum as of zlib's Adler-32.
#include <cstddef>
#include <cstdint>

extern "C" uint32_t Checksum(const unsigned char* bytes, size_t size) {
  constexpr uint32_t kModulus = 65521;
  uint32_t a = 1;
  uint32_t b = 0;
#if CHECKSUM_VERSION == 1
  for (size_t i = 0; i < size; ++i) {
    a = (a + bytes[i]) % kModulus;
    b = (b + a) % kModulus;
  }
#else
  // So many sums fit into 32 bits before they must be reduced.
  constexpr size_t kBlock = 5552;
  while (size > 0) {
    const size_t count = size < kBlock ? size : kBlock;
    for (size_t i = 0; i < count; ++i) {
      a += bytes[i];
      b += a;
    }
    a %= kModulus;
    b %= kModulus;
    bytes += count;
    size -= count;
  }
#endif
  return b << 16 | a;
}
