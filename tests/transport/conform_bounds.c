/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conformance: operands and their bounds: keys, offsets that need more than 32
 * bits, and all that is refused, to the peer and to oneself.
 */
#include <string.h>
#include <sys/mman.h>
#include <weft/status.h>
#include "tests/transport/fixture.h"
#include "transport/line.h"

enum {
	CYCLES = 300,
	BYTES = 1000
};

#define UNTOUCHED UINT64_C(0x5e5e5e5e5e5e5e5e)
#define FAR (UINT64_C(1) << 32)

static struct fixture f;

static struct wf_ep *pair_with(int other)
{
	fixture_open(&f, 2, 1);
	fixture_connect(&f, 0, other);
	return f.rank[0].ep[other];
}

/* ---- keys ---- */

/* A key travels as bytes, and an offset from it is added to its address. */
static void keys_by_mail(void)
{
	struct wf_ep *ep = pair_with(1);
	uint64_t value[8];
	uint64_t *to;
	struct wf_rloc rloc;

	for (int i = 0; i < 20; i++) {
		to = fixture_alloc(&f, 1, 4096, &rloc);
		TAP_EQUAL(fixture_mail(&f, 1, 0, 0, &rloc, sizeof(rloc)),
			  WEFT_OK);
		memset(&rloc, 0, sizeof(rloc));
		if (!fixture_await(&f, &f.rank[0].nletters, i + 1))
			break;
		memcpy(&rloc, f.rank[0].letters[i].payload, sizeof(rloc));
		for (uint64_t k = 0; k < 8; k++) {
			struct wf_rloc at = { rloc.addr + k * 504, rloc.key };

			value[k] = 10 * (uint64_t)i + k;
			TAP_EQUAL(fixture_put(&f, ep, &value[k], at, 8),
				  WEFT_OK);
		}
		fixture_flush(&f, ep, ep->posted);
		for (uint64_t k = 0; k < 8; k++)
			TAP_EQUAL(to[k * 63], 10 * (uint64_t)i + k);
	}
	fixture_close(&f);
}

/* Memory that peers cannot write has no key, and the operand stays as it is. */
static void no_key(void)
{
	struct wf_device *dev = pair_with(1)->dev;
	struct wf_rloc rloc = { UNTOUCHED, UNTOUCHED };
	static char mine[BYTES];
	struct wf_region *region;

	if (fixture_backend.keyed) {
		tap_skip("%s gives keys of regions", fixture_backend.name);
		fixture_close(&f);
		return;
	}
	TAP_EQUAL(dev->ops->reg(dev, mine, sizeof(mine), &region), WEFT_OK);
	TAP_EQUAL(dev->ops->key(region, 0, &rloc), WEFT_ERR_UNSUPPORTED);
	TAP_CHECK(rloc.addr == UNTOUCHED && rloc.key == UNTOUCHED);
	dev->ops->release(region);
	fixture_close(&f);
}

/* Where a device reaches them, the memory of a region is like the arena's. */
static void region_keys(void)
{
	struct wf_ep *ep = pair_with(1);
	struct wf_device *dev = f.rank[1].dev;
	static char theirs[BYTES];
	char data[500], back[500] = "";
	struct wf_region *region;
	struct wf_rloc rloc;

	if (!fixture_backend.keyed) {
		tap_skip("%s gives no keys of regions", fixture_backend.name);
		fixture_close(&f);
		return;
	}
	TAP_EQUAL(dev->ops->reg(dev, theirs, sizeof(theirs), &region),
		  WEFT_OK);
	TAP_EQUAL(dev->ops->key(region, 100, &rloc), WEFT_OK);
	memset(data, 0x33, sizeof(data));
	TAP_EQUAL(fixture_put(&f, ep, data, rloc, sizeof(data)), WEFT_OK);
	fixture_flush(&f, ep, ep->posted);
	TAP_EQUAL(memcmp(theirs + 100, data, sizeof(data)), 0);
	TAP_EQUAL(theirs[99] | theirs[600], 0);
	TAP_EQUAL(fixture_get(&f, ep, back, rloc, sizeof(back)), WEFT_OK);
	fixture_await_done(&f, ep);
	TAP_EQUAL(memcmp(back, data, sizeof(data)), 0);
	dev->ops->release(region);
	/* from now on nobody can */
	TAP_EQUAL(fixture_put(&f, ep, back, rloc, sizeof(back)), WEFT_OK);
	fixture_ask_done(&f, ep);
	for (int i = 0; i < 1000 && !f.rank[0].suspects[1]; i++)
		fixture_pump(&f);
	TAP_CHECK(ep->broken);
	TAP_CHECK(f.rank[0].suspects[1]);
	fixture_close(&f);
}

/* The same memory again and again, by itself and inside of another region. */
static void cycles(void)
{
	struct wf_ep *ep = pair_with(1);
	struct wf_device *dev = ep->dev;
	static unsigned char from[BYTES];
	struct wf_region *whole, *part;
	struct wf_rloc rloc;
	unsigned char *to = fixture_alloc(&f, 1, BYTES, &rloc);

	TAP_EQUAL(dev->ops->reg(dev, from, BYTES, &whole), WEFT_OK);
	for (int i = 0; i < CYCLES; i++) {
		size_t at = (size_t)i % 100;
		struct wf_loc loc = { NULL, 7 };

		memset(from, i, BYTES);
		TAP_EQUAL(dev->ops->reg(dev, from + at, BYTES - at, &part),
			  WEFT_OK);
		loc.region = i % 3 ? part : whole;
		while (ep->ops->put(ep, loc, rloc, 500) == WEFT_AGAIN)
			fixture_pump(&f);
		fixture_flush(&f, ep, ep->posted);
		TAP_EQUAL(to[0], (unsigned char)i);
		TAP_EQUAL(to[499], (unsigned char)i);
		dev->ops->release(part);
	}
	dev->ops->release(whole);
	fixture_close(&f);
}

/* What was registered is not what is there now. */
static void apart(void)
{
	enum { LONG = 8192 };
	struct wf_ep *ep = pair_with(1);
	struct wf_device *dev = ep->dev;
	const int prot = PROT_READ | PROT_WRITE;
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	char *from = mmap(NULL, LONG, prot, flags, -1, 0);
	struct wf_region *region;
	struct wf_rloc rloc;
	char *to = fixture_alloc(&f, 1, LONG, &rloc);

	if (!TAP_CHECK(from != MAP_FAILED))
		return;
	memset(from, 1, LONG);
	TAP_EQUAL(dev->ops->reg(dev, from, LONG, &region), WEFT_OK);
	TAP_CHECK(!region->apart);
	region->apart = true;
	while (ep->ops->put(ep, (struct wf_loc){ region, 0 }, rloc, LONG) ==
	       WEFT_AGAIN)
		fixture_pump(&f);
	fixture_flush(&f, ep, ep->posted);
	TAP_EQUAL(to[LONG - 1], 1);
	TAP_EQUAL(munmap(from, LONG), 0);
	TAP_CHECK(mmap(from, LONG, prot, flags | MAP_FIXED, -1, 0) == from);
	memset(from, 2, LONG);
	TAP_EQUAL(fixture_put(&f, ep, from, rloc, LONG), WEFT_OK);
	fixture_flush(&f, ep, ep->posted);
	TAP_EQUAL(to[0], 2);
	TAP_EQUAL(to[LONG - 1], 2);
	dev->ops->release(region);
	munmap(from, LONG);
	fixture_close(&f);
}

static void read_only(void)
{
	enum { LONG = 8192 };
	struct wf_ep *ep = pair_with(1);
	struct wf_device *dev = ep->dev;
	char *from = mmap(NULL, LONG, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	struct wf_rloc rloc, key = { UNTOUCHED, UNTOUCHED };
	char *to = fixture_alloc(&f, 1, LONG, &rloc);
	struct wf_region *region;

	if (!TAP_CHECK(from != MAP_FAILED))
		return;
	memset(to, 1, LONG);
	TAP_EQUAL(dev->ops->reg(dev, from, LONG, &region), WEFT_OK);
	TAP_EQUAL(dev->ops->key(region, 0, &key), WEFT_ERR_UNSUPPORTED);
	TAP_CHECK(key.addr == UNTOUCHED && key.key == UNTOUCHED);
	while (ep->ops->put(ep, (struct wf_loc){ region, 0 }, rloc, LONG) ==
	       WEFT_AGAIN)
		fixture_pump(&f);
	fixture_flush(&f, ep, ep->posted);
	TAP_EQUAL(to[0] | to[LONG - 1], 0);
	dev->ops->release(region);
	munmap(from, LONG);
	fixture_close(&f);
}

/* ---- beyond 4 GiB ---- */

/* Every op, far out; what the low 32 bits of the offset mean stays as it is. */
static void write_far(struct wf_ep *ep, struct wf_rloc rloc, char *to)
{
	struct wf_rloc word = { rloc.addr + 1024, rloc.key };
	struct wf_rloc line = { rloc.addr + 2048, rloc.key };
	uint32_t sig = fixture_signal(&f, 1);
	char data[BYTES], back[BYTES];
	uint64_t old = UNTOUCHED;

	memset(data, 0x77, sizeof(data));
	TAP_EQUAL(fixture_put(&f, ep, data, rloc, BYTES / 2), WEFT_OK);
	fixture_flush(&f, ep, ep->posted);
	TAP_EQUAL(fixture_put_signal(&f, ep, data, rloc, BYTES, sig), WEFT_OK);
	fixture_await_count(&f, 1, sig, 1);
	TAP_EQUAL(memcmp(to, data, BYTES), 0);
	TAP_EQUAL(fixture_get(&f, ep, back, rloc, BYTES), WEFT_OK);
	fixture_await_done(&f, ep);
	TAP_EQUAL(memcmp(back, data, BYTES), 0);
	TAP_EQUAL(fixture_fetch_add(&f, ep, word, 3, &old), WEFT_OK);
	fixture_await_done(&f, ep);
	TAP_EQUAL(old, 0);
	TAP_EQUAL(fixture_cas(&f, ep, word, 3, 9, &old), WEFT_OK);
	fixture_await_done(&f, ep);
	TAP_EQUAL(old, 3);
	TAP_EQUAL(*(uint64_t *)(void *)(to + 1024), 9);
	TAP_EQUAL(fixture_line(&f, ep, line, data, 8, 5), WEFT_OK);
	fixture_flush(&f, ep, ep->posted);
	wf_line_read((struct wf_line *)(void *)(to + 2048),
		     !(ep->dev->caps & WF_CAP_LINE_PLAIN), back, 8);
	TAP_EQUAL(memcmp(back, data, 8), 0);
}

/* As much of the address space, and of what may be promised, as it needs. */
static bool has_room(int n)
{
	size_t bytes = (size_t)n * FIXTURE_LARGE;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p != MAP_FAILED && !munmap(p, bytes);
}

static void far_out(void)
{
	struct wf_segment *seg = &f.rank[1].segment;
	struct wf_rloc low, rloc;
	uint64_t gap;
	char *near, *to, zero[4096] = "";

	if (fixture_backend.pins) {
		tap_skip("the device would pin all of it");
		return;
	}
	if (!has_room(2)) {
		tap_skip("no address space for two segments of %d GiB",
			 (int)(FIXTURE_LARGE >> 30));
		return;
	}
	fixture_open_large(&f, 2, 1);
	fixture_connect(&f, 0, 1);
	near = fixture_alloc(&f, 1, sizeof(zero) * 2, &low);
	/* nothing of the gap is touched: it takes no memory */
	TAP_EQUAL(wf_segment_alloc_raw(seg, FAR - sizeof(zero), 64, &gap),
		  WEFT_OK);
	to = fixture_alloc(&f, 1, sizeof(zero), &rloc);
	TAP_CHECK((uint64_t)(to - (char *)seg->base) > FAR);
	write_far(f.rank[0].ep[1], rloc, to);
	TAP_EQUAL(memcmp(near, zero, sizeof(zero)), 0);
	TAP_EQUAL(memcmp(near + sizeof(zero), zero, sizeof(zero)), 0);
	fixture_close(&f);
}

/* ---- refused ---- */

/* At once, and nothing was posted; or later, with the endpoint broken. */
static void check_refused(struct wf_ep *ep, int status, uint64_t posted)
{
	if (status) {
		TAP_EQUAL(status, WEFT_ERR_RANGE);
		TAP_EQUAL(ep->posted, posted);
		TAP_CHECK(!ep->broken);
		return;
	}
	if (fixture_backend.violations) {
		/* the simulator calls it a fault of the program */
		f.violations++;
		fixture_flush(&f, ep, ep->posted);
		return;
	}
	for (int i = 0; i < 100000 && !f.rank[0].suspects[ep->rank]; i++)
		fixture_pump(&f);
	TAP_CHECK(ep->broken);
	TAP_CHECK(f.rank[0].suspects[ep->rank]);
	TAP_CHECK(wf_ep_done(ep, ep->posted));
}

enum bad { PUT, PUT_SIGNAL, PUT_HEAD, LINE, BADS };

static void refused(int other, enum bad op, bool wrong_key)
{
	struct wf_ep *ep = pair_with(other);
	struct wf_loc src = wf_loc_any("x");
	uint32_t sig = fixture_signal(&f, other);
	uint64_t posted = ep->posted, head = 1;
	struct wf_rloc bad;
	char *to = fixture_alloc(&f, other, 4096, &bad);
	int status;

	if (wrong_key)
		bad.key ^= UINT64_C(0x5500000000);
	else
		bad.addr += FIXTURE_LIMIT;
	do {
		if (op == PUT)
			status = ep->ops->put(ep, src, bad, 1);
		else if (op == LINE)
			status = wf_ep_line(ep, bad, "x", 1, 1);
		else
			status = ep->ops->put_signal(ep, src, bad,
						     op == PUT_SIGNAL, sig,
						     op == PUT_HEAD ? &head :
								      NULL);
		if (status == WEFT_AGAIN)
			fixture_pump(&f);
	} while (status == WEFT_AGAIN);
	check_refused(ep, status, posted);
	for (int i = 0; i < 4096; i++)
		TAP_EQUAL(to[i], 0);
	fixture_close(&f);
}

static void foreign(void)
{
	for (int op = PUT; op < BADS; op++)
		for (int i = 0; i < 4; i++)
			refused(i / 2, op, i % 2);
}

static void two_do_not_fit(struct wf_ep *ep, struct wf_rloc dst, uint32_t most)
{
	char data[WF_LINE_BYTES] = "";
	struct wf_piece piece[] = {
		{ data, most }, { data, most + 1 }, { data, most }
	};

	dst.addr = (dst.addr + WF_LINE_BYTES) / (2 * WF_LINE_BYTES) *
		   (2 * WF_LINE_BYTES);
	TAP_EQUAL(fixture_lines(&f, ep, dst, piece, 0, 1), WEFT_ERR_RANGE);
	TAP_EQUAL(fixture_lines(&f, ep, dst, piece, 3, 1), WEFT_ERR_RANGE);
	TAP_EQUAL(fixture_lines(&f, ep, dst, piece, 2, 1), WEFT_ERR_RANGE);
	TAP_EQUAL(fixture_lines(&f, ep, dst, piece + 1, 2, 1), WEFT_ERR_RANGE);
	piece[1].n = most;
	dst.addr += WF_LINE_BYTES;
	TAP_EQUAL(fixture_lines(&f, ep, dst, piece, 2, 1), WEFT_ERR_RANGE);
}

/* Too long, or not aligned: the caller hears at once. */
static void lines_that_do_not_fit(void)
{
	for (int other = 0; other < 2; other++) {
		struct wf_ep *ep = pair_with(other);
		char data[WF_LINE_BYTES] = "";
		struct wf_rloc rloc;
		char *to = fixture_alloc(&f, other, 256, &rloc);
		struct wf_rloc bad = { rloc.addr + 8, rloc.key };
		uint32_t most = ep->dev->line_data;

		TAP_EQUAL(fixture_line(&f, ep, rloc, data, most + 1, 1),
			  WEFT_ERR_RANGE);
		TAP_EQUAL(fixture_line(&f, ep, bad, data, most, 1),
			  WEFT_ERR_RANGE);
		two_do_not_fit(ep, rloc, most);
		TAP_EQUAL(ep->posted, 0);
		fixture_settle(&f);
		for (int i = 0; i < 256; i++)
			TAP_EQUAL(to[i], 0);
		TAP_EQUAL(fixture_line(&f, ep, rloc, data, most, 1), WEFT_OK);
		fixture_close(&f);
	}
}

static void mails_that_do_not_fit(void)
{
	struct wf_mail mail = { .kind = 7, .flags = WF_MAIL_RESERVED };

	for (int other = 0; other < 2; other++) {
		struct wf_ep *ep = pair_with(other);
		char data[WF_MAIL_LONGEST + 1] = "";
		uint32_t most = ep->dev->mail_max;
		int *n = &f.rank[other].nletters;

		TAP_EQUAL(fixture_mail(&f, 0, other, 1, data,
				       (uint16_t)(most + 1)), WEFT_ERR_RANGE);
		mail.length = WF_MAIL_PAYLOAD + 1;
		TAP_EQUAL(ep->ops->mail(ep, &mail, data), WEFT_ERR_RANGE);
		TAP_EQUAL(fixture_mail(&f, 0, other, 1, data, UINT16_MAX),
			  WEFT_ERR_RANGE);
		TAP_EQUAL(ep->posted, 0);
		TAP_EQUAL(fixture_mail(&f, 0, other, 2, data,
				       (uint16_t)most), WEFT_OK);
		fixture_await(&f, n, 1);
		fixture_settle(&f);
		TAP_EQUAL(*n, 1);
		TAP_EQUAL(f.rank[other].letters[0].mail.word, 2);
		fixture_close(&f);
	}
}

static void count_line(void *arg, const char *line, size_t n)
{
	*(int *)arg += memmem(line, n, "more than 1", 11) != NULL;
}

/* It is told why, and the job goes without this backend. */
static void address_does_not_fit(void)
{
	struct wf_device *dev = pair_with(1)->dev;
	struct fixture_rank *r = &f.rank[0];
	uint8_t to[2] = { 0x5e, 0x5e };
	size_t n = 77;
	int lines = 0;

	r->log.level = WF_LOG_INFO;
	r->log.write = count_line;
	r->log.arg = &lines;
	TAP_EQUAL(dev->ops->address(dev, to, 1, &n), WEFT_ERR_UNSUPPORTED);
	TAP_EQUAL(lines, 1);
	TAP_EQUAL(n, 77);
	TAP_EQUAL(to[0] & to[1], 0x5e);
	fixture_close(&f);
}

const struct tap_case conform_bounds[] = {
	{ "keys travel by mail, and offsets are added", keys_by_mail },
	{ "memory that others cannot write has no key", no_key },
	{ "keys of regions, until they are released", region_keys },
	{ "memory is registered and released again and again", cycles },
	{ "memory of a region that is apart", apart },
	{ "memory that cannot be written is a source", read_only },
	{ "offsets beyond 4 GiB", far_out },
	{ "puts and lines to what is not the peer's", foreign },
	{ "lines that are too long, or not aligned",
	  lines_that_do_not_fit },
	{ "mails that are too long", mails_that_do_not_fit },
	{ "an address that does not fit", address_does_not_fit },
};

const int conform_bounds_n = TAP_COUNT(conform_bounds);
