/* SPDX-License-Identifier: BSD-3-Clause */
/* Structures of the program that grow: see options.h. */
#include "base/options.h"

#include <string.h>
#include "base/text.h"

void wf_options_init(void *options, size_t size)
{
	if (!options || size < sizeof(size))
		return;
	memset(options, 0, size);
	memcpy(options, &size, sizeof(size));
}

bool wf_options_read(const void *options, void *known, size_t bytes,
		     const char *init, char *why, size_t why_bytes)
{
	const unsigned char *byte = options;
	size_t size, word = sizeof(size), least = 2 * word, most = 4096;

	wf_options_init(known, bytes);
	if (!options)
		return true;
	memcpy(&size, options, word);
	if (size < least || size > most || size % word) {
		wf_text_add(why, why_bytes, "options->size is %zu: fill them "
			    "with %s(&options, sizeof(options))", size, init);
		return false;
	}
	memcpy(known, options, size < bytes ? size : bytes);
	memcpy(known, &bytes, word);
	for (size_t i = bytes; i < size; i++) {
		if (!byte[i])
			continue;
		wf_text_add(why, why_bytes, "options has a member at byte %zu "
			    "that this version does not know", i);
		return false;
	}
	return true;
}
