/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Boot blobs: what is packed is read again, everything else is refused, and
 * two ranks that cannot work together are told so by the names of their hosts.
 */
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "boot/blob.h"
#include "tests/tap.h"

static void make(struct wf_blob *blob, const char *host)
{
	struct wf_identity id = { .pid_ns = 0xf00000000ull,
				  .net_ns = 0xf00000001ull, .start = 77,
				  .pid = 1234, .uid = 1000 };
	struct wf_random random;

	snprintf(id.host, sizeof(id.host), "%s", host);
	memset(id.boot_id, 0xab, sizeof(id.boot_id));
	wf_random_init(&random, 1);
	wf_blob_init(blob, &id, 0x1122334455667788ull);
	wf_blob_key_seeded(blob, &random);
	blob->memfd = 9;
	blob->segment_base = 0x7f0000001000ull;
	blob->n_lifelines = 1;
	blob->lifelines[0].family = 4;
	blob->lifelines[0].port = 40000;
	memcpy(blob->lifelines[0].address, "\x0a\x00\x00\x01", 4);
}

static void fill_up(struct wf_blob *blob)
{
	uint8_t bytes[WF_BLOB_ADDR_MAX];
	char name[9] = "backend0";
	int i;

	memset(blob->id.host, 'h', WF_HOST_MAX);
	memset(bytes, 0x5a, sizeof(bytes));
	blob->n_lifelines = WF_BLOB_LIFELINES;
	for (i = 0; i < WF_BLOB_LIFELINES; i++)
		blob->lifelines[i].family = 6;
	for (i = 0; i < WF_BLOB_ADDRS; i++, name[7]++)
		TAP_EQUAL(wf_blob_add(blob, name, bytes, sizeof(bytes)),
			  WEFT_OK);
}

/* Packing is canonical, so equal bytes mean equal blobs. */
static void round_trip_of(const struct wf_blob *blob)
{
	uint8_t bytes[WF_BLOB_BYTES_MAX];
	uint8_t again[WF_BLOB_BYTES_MAX];
	struct wf_blob got;
	char why[200] = "";
	size_t n = wf_blob_pack(blob, bytes);

	TAP_CHECK(n <= sizeof(bytes));
	TAP_EQUAL(wf_blob_unpack(&got, bytes, n, why, sizeof(why)), WEFT_OK);
	TAP_EQUAL(wf_blob_pack(&got, again), n);
	TAP_CHECK(memcmp(bytes, again, n) == 0);
	TAP_CHECK(wf_blob_key_equal(&got.key, &blob->key));
	TAP_CHECK(wf_blob_key_equal(&got.life_key, &blob->life_key));
	TAP_EQUAL(got.id.pid, blob->id.pid);
	TAP_EQUAL(got.memfd, blob->memfd);
	TAP_EQUAL(got.n_addrs, blob->n_addrs);
	TAP_CHECK(strcmp(got.id.host, blob->id.host) == 0);
}

static void round_trip(void)
{
	struct wf_blob blob;

	make(&blob, "n1");
	round_trip_of(&blob);
	blob.memfd = -1;
	blob.n_lifelines = 0;
	blob.id.host[0] = '\0';
	round_trip_of(&blob);
	fill_up(&blob);
	round_trip_of(&blob);
}

/* The bytes themselves are the contract with other builds. */
static void layout(void)
{
	uint8_t bytes[WF_BLOB_BYTES_MAX];
	struct wf_blob blob;
	size_t n;

	make(&blob, "n1");
	n = wf_blob_pack(&blob, bytes);
	TAP_EQUAL(n, 120 + 1 + 2 + 1 + 19 + 1 + 4);
	TAP_CHECK(memcmp(bytes, "weftblob", 8) == 0);
	TAP_EQUAL(bytes[8], WF_WIRE_VERSION);
	TAP_EQUAL(bytes[9], 0);
	TAP_EQUAL(bytes[10], n);
	TAP_EQUAL(bytes[20], 0x88);
	TAP_EQUAL(bytes[27], 0x11);
	TAP_EQUAL(bytes[28], 2);
	TAP_CHECK(memcmp(bytes + 29, "n1", 2) == 0);
}

static void addresses(void)
{
	struct wf_blob blob;
	const struct wf_blob_addr *addr;

	make(&blob, "n1");
	TAP_CHECK(wf_blob_find(&blob, "ofi") == NULL);
	TAP_EQUAL(wf_blob_add(&blob, "ofi", "abc", 3), WEFT_OK);
	TAP_EQUAL(wf_blob_add(&blob, "backend8", NULL, 0), WEFT_OK);
	addr = wf_blob_find(&blob, "ofi");
	TAP_CHECK(addr != NULL && addr->n == 3 &&
		  memcmp(addr->bytes, "abc", 3) == 0);
	addr = wf_blob_find(&blob, "backend8");
	TAP_CHECK(addr != NULL && addr->n == 0);
	TAP_EQUAL(wf_blob_add(&blob, "ninebytes", "", 0), WEFT_ERR_RANGE);
	TAP_EQUAL(wf_blob_add(&blob, "x", "", WF_BLOB_ADDR_MAX + 1),
		  WEFT_ERR_RANGE);
	TAP_EQUAL(wf_blob_add(&blob, "a", "", 0), WEFT_OK);
	TAP_EQUAL(wf_blob_add(&blob, "b", "", 0), WEFT_ERR_RANGE);
	TAP_EQUAL(blob.n_addrs, WF_BLOB_ADDRS);
}

static bool refused(const uint8_t *bytes, size_t n, const char *word)
{
	struct wf_blob got = { .memfd = 4711 };
	char why[200] = "";

	if (wf_blob_unpack(&got, bytes, n, why, sizeof(why)) != WEFT_ERR_BOOT)
		return false;
	if (strstr(why, word) == NULL)
		tap_diag("\"%s\" lacks \"%s\"", why, word);
	return strstr(why, word) != NULL && got.memfd == 4711;
}

static void damaged(void)
{
	uint8_t bytes[WF_BLOB_BYTES_MAX + 1] = { 0 };
	struct wf_blob blob;
	size_t n;
	size_t i;

	make(&blob, "n1");
	n = wf_blob_pack(&blob, bytes);
	for (i = 0; i < n; i++)
		TAP_CHECK(refused(bytes, i, "damaged"));
	TAP_CHECK(refused(bytes, n + 1, "longer"));
	for (i = 0; i < n * 8; i++) {
		bytes[i / 8] ^= (uint8_t)(1 << i % 8);
		TAP_CHECK(refused(bytes, n, "damaged"));
		bytes[i / 8] ^= (uint8_t)(1 << i % 8);
	}
}

/* Changes one byte and mends the checksum: the fields are checked, too. */
static bool refused_field(const struct wf_blob *blob, size_t at, uint8_t value,
			  const char *word)
{
	uint8_t bytes[WF_BLOB_BYTES_MAX];
	size_t n = wf_blob_pack(blob, bytes);
	uint32_t crc;
	int i;

	bytes[at] = value;
	crc = wf_crc32(bytes, n - 4);
	for (i = 0; i < 4; i++)
		bytes[n - 4 + (size_t)i] = (uint8_t)(crc >> (8 * i));
	return refused(bytes, n, word);
}

static void bad_fields(void)
{
	struct wf_blob blob;

	make(&blob, "n1");
	TAP_EQUAL(wf_blob_add(&blob, "ofi", "abc", 3), WEFT_OK);
	TAP_CHECK(refused_field(&blob, 28, WF_HOST_MAX + 1, "head"));
	TAP_CHECK(refused_field(&blob, 29, '\0', "head"));
	TAP_CHECK(refused_field(&blob, 28, 60, "malformed"));
	TAP_CHECK(refused_field(&blob, 123, WF_BLOB_LIFELINES + 1, "field"));
	TAP_CHECK(refused_field(&blob, 123, 0, "field"));
	TAP_CHECK(refused_field(&blob, 124, 5, "field"));
	TAP_CHECK(refused_field(&blob, 143, WF_BLOB_ADDRS + 1, "field"));
	TAP_CHECK(refused_field(&blob, 143, 2, "field"));
	TAP_CHECK(refused_field(&blob, 152, WF_BLOB_ADDR_MAX + 1, "field"));
	TAP_CHECK(refused_field(&blob, 152, 2, "field"));
}

static bool unfit(const struct wf_blob *mine, const struct wf_blob *theirs,
		  const char *word)
{
	char why[200] = "";

	if (wf_blob_check(mine, theirs, why, sizeof(why)) != WEFT_ERR_BOOT)
		return false;
	if (strstr(why, word) == NULL)
		tap_diag("\"%s\" lacks \"%s\"", why, word);
	return strstr(why, "alpha") != NULL && strstr(why, "beta") != NULL &&
	       strstr(why, word) != NULL;
}

static void mixed_jobs(void)
{
	struct wf_blob mine;
	struct wf_blob theirs;
	char why[200] = "";

	make(&mine, "alpha");
	make(&theirs, "beta");
	TAP_EQUAL(wf_blob_check(&mine, &theirs, why, sizeof(why)), WEFT_OK);
	theirs.settings++;
	TAP_CHECK(unfit(&mine, &theirs, "settings"));
	theirs.marks.long_double_bytes++;
	TAP_CHECK(unfit(&mine, &theirs, "sizes"));
	theirs.marks.order = 3 - theirs.marks.order;
	TAP_CHECK(unfit(&mine, &theirs, "byte order"));
	theirs.wire_version++;
	TAP_CHECK(unfit(&mine, &theirs, "wire version"));
}

/* A blob of another version is read as far as its host name. */
static void other_version(void)
{
	uint8_t bytes[WF_BLOB_BYTES_MAX];
	struct wf_blob mine;
	struct wf_blob theirs;
	struct wf_blob got;
	char why[200] = "";
	size_t n;

	make(&mine, "alpha");
	make(&theirs, "beta");
	theirs.wire_version = WF_WIRE_VERSION + 1;
	n = wf_blob_pack(&theirs, bytes);
	TAP_EQUAL(wf_blob_unpack(&got, bytes, n, why, sizeof(why)), WEFT_OK);
	TAP_CHECK(unfit(&mine, &got, "version"));
	TAP_EQUAL(got.id.pid, 0);
}

static void same_node(void)
{
	struct wf_blob mine;
	struct wf_blob theirs;

	make(&mine, "alpha");
	make(&theirs, "beta");
	TAP_CHECK(wf_blob_same_node(&mine, &theirs));
	theirs.id.uid++;
	TAP_CHECK(!wf_blob_same_node(&mine, &theirs));
	make(&theirs, "beta");
	theirs.id.pid_ns++;
	TAP_CHECK(!wf_blob_same_node(&mine, &theirs));
	make(&theirs, "beta");
	theirs.id.boot_id[15]++;
	TAP_CHECK(!wf_blob_same_node(&mine, &theirs));
}

/* /proc is that of another PID namespace; the own process needs none. */
static void pids_unknown(void)
{
	struct wf_blob mine;
	struct wf_blob theirs;

	make(&mine, "alpha");
	make(&theirs, "alpha");
	theirs.id.pid = mine.id.pid + 1;
	TAP_CHECK(wf_blob_same_pids(&mine, &theirs));
	theirs.id.start = 0;
	TAP_CHECK(!wf_blob_same_pids(&mine, &theirs));
	TAP_CHECK(!wf_blob_same_pids(&theirs, &mine));
	theirs.id.pid = mine.id.pid;
	TAP_CHECK(wf_blob_same_pids(&mine, &theirs));
}

/* Who knows words of one key knows nothing of the other. */
static bool keys_differ(const struct wf_blob *blob)
{
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++)
			if (blob->key.word[i] == blob->life_key.word[j])
				return false;
	return true;
}

static void keys(void)
{
	struct wf_blob a;
	struct wf_blob b;

	make(&a, "alpha");
	make(&b, "alpha");
	TAP_CHECK(wf_blob_key_equal(&a.key, &b.key));
	TAP_EQUAL(wf_blob_key_random(&a), WEFT_OK);
	TAP_CHECK(!wf_blob_key_equal(&a.key, &b.key));
	TAP_CHECK(keys_differ(&a) && keys_differ(&b));
	TAP_EQUAL(wf_blob_key_random(&b), WEFT_OK);
	TAP_CHECK(!wf_blob_key_equal(&a.key, &b.key));
	TAP_CHECK(!wf_blob_key_equal(&a.life_key, &b.life_key));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "round trip", round_trip },
		{ "layout of the bytes", layout },
		{ "backend addresses", addresses },
		{ "every damaged bit and length is refused", damaged },
		{ "bad fields under a good checksum are refused", bad_fields },
		{ "mixed jobs are refused by host name", mixed_jobs },
		{ "another wire version", other_version },
		{ "same node", same_node },
		{ "pids that /proc does not tell of", pids_unknown },
		{ "keys", keys },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
