/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes and reads boot blobs; blob.h draws the bytes. The reader trusts
 * nothing: each field is taken through a cursor that knows the end.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "boot/blob.h"

#define CRC_BYTES 4
#define LENGTH_OFFSET 10

static const uint8_t magic[8] = { 'w', 'e', 'f', 't', 'b', 'l', 'o', 'b' };

static_assert(120 + 1 + WF_HOST_MAX + 1 + 19 * WF_BLOB_LIFELINES + 1 +
	      (9 + WF_BLOB_ADDR_MAX) * WF_BLOB_ADDRS + CRC_BYTES <=
	      WF_BLOB_BYTES_MAX, "the largest blob fits");
static_assert(sizeof(struct wf_blob_marks) == 8, "marks are eight bytes");

struct writer {
	uint8_t *at;
};

struct reader {
	const uint8_t *at;
	size_t left;
	bool short_of; /* a field went beyond the end */
};

static void put_bytes(struct writer *writer, const void *bytes, size_t n)
{
	memcpy(writer->at, bytes, n);
	writer->at += n;
}

/* The low `n` bytes of a number, lowest first. */
static void put_number(struct writer *writer, uint64_t value, int n)
{
	int i;

	for (i = 0; i < n; i++)
		*writer->at++ = (uint8_t)(value >> (8 * i));
}

static void get_bytes(struct reader *reader, void *bytes, size_t n)
{
	if (n > reader->left) {
		reader->short_of = true;
		reader->left = 0;
		return;
	}
	memcpy(bytes, reader->at, n);
	reader->at += n;
	reader->left -= n;
}

static uint64_t get_number(struct reader *reader, int n)
{
	uint8_t bytes[8] = { 0 };
	uint64_t value = 0;
	int i;

	get_bytes(reader, bytes, (size_t)n);
	for (i = n - 1; i >= 0; i--)
		value = value << 8 | bytes[i];
	return value;
}

static void put_tails(struct writer *writer, const struct wf_blob *blob)
{
	int i;

	put_number(writer, blob->n_lifelines, 1);
	for (i = 0; i < blob->n_lifelines; i++) {
		const struct wf_blob_lifeline *line = &blob->lifelines[i];

		put_number(writer, line->family, 1);
		put_number(writer, line->port, 2);
		put_bytes(writer, line->address, sizeof(line->address));
	}
	put_number(writer, blob->n_addrs, 1);
	for (i = 0; i < blob->n_addrs; i++) {
		const struct wf_blob_addr *addr = &blob->addrs[i];

		put_bytes(writer, addr->name, sizeof(addr->name));
		put_number(writer, addr->n, 1);
		put_bytes(writer, addr->bytes, addr->n);
	}
}

size_t wf_blob_pack(const struct wf_blob *blob,
		    uint8_t bytes[WF_BLOB_BYTES_MAX])
{
	const struct wf_identity *id = &blob->id;
	size_t host = strnlen(id->host, WF_HOST_MAX);
	struct writer writer = { bytes };
	struct writer length = { bytes + LENGTH_OFFSET };
	size_t n;

	put_bytes(&writer, magic, sizeof(magic));
	put_number(&writer, blob->wire_version, 2);
	put_number(&writer, 0, 2);
	put_bytes(&writer, &blob->marks, sizeof(blob->marks));
	put_number(&writer, blob->settings, 8);
	put_number(&writer, host, 1);
	put_bytes(&writer, id->host, host);
	put_number(&writer, blob->key.word[0], 8);
	put_number(&writer, blob->key.word[1], 8);
	put_number(&writer, blob->life_key.word[0], 8);
	put_number(&writer, blob->life_key.word[1], 8);
	put_bytes(&writer, id->boot_id, sizeof(id->boot_id));
	put_number(&writer, id->pid_ns, 8);
	put_number(&writer, id->net_ns, 8);
	put_number(&writer, id->start, 8);
	put_number(&writer, (uint32_t)id->pid, 4);
	put_number(&writer, id->uid, 4);
	put_number(&writer, (uint32_t)blob->memfd, 4);
	put_number(&writer, blob->segment_base, 8);
	put_tails(&writer, blob);
	n = (size_t)(writer.at - bytes);
	put_number(&length, n + CRC_BYTES, 2);
	put_number(&writer, wf_crc32(bytes, n), 4);
	return n + CRC_BYTES;
}

/* The counted tails; false: a count or a length beyond its limit. */
static bool get_tails(struct reader *reader, struct wf_blob *blob)
{
	int i;

	blob->n_lifelines = (uint8_t)get_number(reader, 1);
	if (blob->n_lifelines > WF_BLOB_LIFELINES)
		return false;
	for (i = 0; i < blob->n_lifelines; i++) {
		struct wf_blob_lifeline *line = &blob->lifelines[i];

		line->family = (uint8_t)get_number(reader, 1);
		line->port = (uint16_t)get_number(reader, 2);
		get_bytes(reader, line->address, sizeof(line->address));
		if (line->family != 4 && line->family != 6)
			return false;
	}
	blob->n_addrs = (uint8_t)get_number(reader, 1);
	if (blob->n_addrs > WF_BLOB_ADDRS)
		return false;
	for (i = 0; i < blob->n_addrs; i++) {
		struct wf_blob_addr *addr = &blob->addrs[i];

		get_bytes(reader, addr->name, sizeof(addr->name));
		addr->n = (uint8_t)get_number(reader, 1);
		if (addr->n > WF_BLOB_ADDR_MAX)
			return false;
		get_bytes(reader, addr->bytes, addr->n);
	}
	return true;
}

/* What every wire version keeps alike; false: the host name is malformed. */
static bool get_prefix(struct reader *reader, struct wf_blob *blob)
{
	size_t host;

	get_bytes(reader, &blob->marks, sizeof(blob->marks));
	blob->settings = get_number(reader, 8);
	host = (size_t)get_number(reader, 1);
	if (host > WF_HOST_MAX)
		return false;
	get_bytes(reader, blob->id.host, host);
	return strlen(blob->id.host) == host;
}

static bool get_rest(struct reader *reader, struct wf_blob *blob)
{
	struct wf_identity *id = &blob->id;

	blob->key.word[0] = get_number(reader, 8);
	blob->key.word[1] = get_number(reader, 8);
	blob->life_key.word[0] = get_number(reader, 8);
	blob->life_key.word[1] = get_number(reader, 8);
	get_bytes(reader, id->boot_id, sizeof(id->boot_id));
	id->pid_ns = get_number(reader, 8);
	id->net_ns = get_number(reader, 8);
	id->start = get_number(reader, 8);
	id->pid = (int32_t)(uint32_t)get_number(reader, 4);
	id->uid = (uint32_t)get_number(reader, 4);
	blob->memfd = (int32_t)(uint32_t)get_number(reader, 4);
	blob->segment_base = get_number(reader, 8);
	return get_tails(reader, blob) && reader->left == CRC_BYTES;
}

static int refuse(char *why, size_t why_len, const char *what)
{
	snprintf(why, why_len, "the launcher's store returned a damaged boot "
		 "blob: %s", what);
	return WEFT_ERR_BOOT;
}

int wf_blob_unpack(struct wf_blob *blob, const void *bytes, size_t n, char *why,
		   size_t why_len)
{
	struct reader reader = { .at = bytes, .left = n, .short_of = false };
	struct reader tail;
	uint8_t head[sizeof(magic)] = { 0 };
	struct wf_blob got = { 0 };

	get_bytes(&reader, head, sizeof(head));
	if (memcmp(head, magic, sizeof(magic)) != 0)
		return refuse(why, why_len, "it does not begin as one");
	got.wire_version = (uint16_t)get_number(&reader, 2);
	if (get_number(&reader, 2) != n || n < CRC_BYTES)
		return refuse(why, why_len,
			      "it is cut, or longer than it says");
	tail = (struct reader){ .at = (const uint8_t *)bytes + n - CRC_BYTES,
				.left = CRC_BYTES };
	if (get_number(&tail, CRC_BYTES) != wf_crc32(bytes, n - CRC_BYTES))
		return refuse(why, why_len, "its checksum is wrong");
	if (!get_prefix(&reader, &got) || reader.short_of)
		return refuse(why, why_len, "its head is malformed");
	if (got.wire_version == WF_WIRE_VERSION &&
	    (!get_rest(&reader, &got) || reader.short_of))
		return refuse(why, why_len, "a field is malformed");
	*blob = got;
	return WEFT_OK;
}
