/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target: boot blobs. The input is a blob without its length and its
 * checksum, which are mended first: no fuzzer would find its way past them.
 *
 * Whatever is accepted is a blob that packs into the same bytes, and whatever
 * is refused leaves the result alone and gives a reason.
 */
#include <string.h>

#include "base/hash.h"
#include "boot/blob.h"
#include "tests/fuzz/fuzz.h"

static void put(uint8_t *bytes, uint32_t value, int n)
{
	int i;

	for (i = 0; i < n; i++)
		bytes[i] = (uint8_t)(value >> (8 * i));
}

static void read_blob(const uint8_t *bytes, size_t n)
{
	uint8_t again[WF_BLOB_BYTES_MAX];
	struct wf_blob blob;
	struct wf_blob before;
	char why[200] = "";
	int status;

	memset(&blob, 0xa5, sizeof(blob));
	before = blob;
	status = wf_blob_unpack(&blob, bytes, n, why, sizeof(why));
	if (status != WEFT_OK) {
		FUZZ_CHECK(status == WEFT_ERR_BOOT && why[0] != '\0');
		FUZZ_CHECK(memcmp(&blob, &before, sizeof(blob)) == 0);
		return;
	}
	FUZZ_CHECK(strlen(blob.id.host) <= WF_HOST_MAX);
	FUZZ_CHECK(blob.n_addrs <= WF_BLOB_ADDRS);
	FUZZ_CHECK(blob.n_lifelines <= WF_BLOB_LIFELINES);
	FUZZ_CHECK(wf_blob_check(&blob, &blob, why, sizeof(why)) == WEFT_OK);
	if (blob.wire_version != WF_WIRE_VERSION)
		return;
	FUZZ_CHECK(wf_blob_pack(&blob, again) == n);
	FUZZ_CHECK(memcmp(bytes, again, n) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = size + 4;
	uint8_t *bytes = malloc(n);

	if (bytes == NULL)
		return 0;
	memcpy(bytes, data, size);
	memset(bytes + size, 0, 4);
	read_blob(bytes, n);
	if (size >= 12 && n <= UINT16_MAX) {
		put(bytes + 10, (uint32_t)n, 2);
		put(bytes + size, wf_crc32(bytes, size), 4);
		read_blob(bytes, n);
	}
	free(bytes);
	return 0;
}
