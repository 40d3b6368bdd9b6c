#include "util/text/base64.h"

#include <stdint.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void
base64_put(struct strbuf *out, const void *data, size_t n)
{
	const unsigned char *s = data;

	strbuf_room(out, n / 3 * 4 + 4);
	for (size_t i = 0; i < n; i += 3) {
		size_t nr = n - i < 3 ? n - i : 3;
		uint32_t bits = (uint32_t)s[i] << 16;

		bits |= nr > 1 ? (uint32_t)s[i + 1] << 8 : 0;
		bits |= nr > 2 ? s[i + 2] : 0;
		for (size_t k = 0; k < 4; k++)
			strbuf_char(out, k <= nr ? digits[bits >> (18 - 6 * k) & 63] : '=');
	}
}
