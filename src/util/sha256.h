/* SHA-256 (FIPS 180-4). */
#ifndef CGVIEW_UTIL_SHA256_H
#define CGVIEW_UTIL_SHA256_H

#include <stddef.h>

enum { SHA256_SIZE = 32 };

void sha256(const void *data, size_t size, unsigned char sum[SHA256_SIZE]);

#endif
