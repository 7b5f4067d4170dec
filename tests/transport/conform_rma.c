/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conformance: lines, puts and signals.  Here everything runs in one thread;
 * what a reader sees between two stores of another core is for the race
 * programs.
 */
#include <string.h>
#include <weft/status.h>
#include "base/clock.h"
#include "tests/transport/fixture.h"
#include "transport/line.h"

enum {
	ROUNDS = 500,
	GUARD = 64,
	LARGEST = 1 << 20
};

static const size_t sizes[] = {
	0, 1, 7, 8, 9, 27, 28, 29, 55, 56, 57, 63, 64, 65, 1000, 4096, 65535,
	65536, 300001, LARGEST
};

static struct fixture f;
static unsigned char source[LARGEST];

static struct wf_ep *pair(void)
{
	fixture_open(&f, 2, 1);
	fixture_connect(&f, 0, 1);
	return f.rank[0].ep[1];
}

static void fill(size_t n, unsigned seed)
{
	for (size_t i = 0; i < n; i++)
		source[i] = (unsigned char)(seed + i * 7 + (i >> 8));
}

/* In the encoding of the device: is the line there? */
static bool is_ready(const struct wf_line *line, uint32_t seq)
{
	if (f.rank[1].dev->caps & WF_CAP_LINE_PLAIN)
		return wf_line_ready(line, seq);
	return wf_ll_ready(line, seq);
}

static void await_line(const struct wf_line *line, uint32_t seq)
{
	uint64_t since = wf_clock_ns();

	while (!is_ready(line, seq) &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	TAP_CHECK(is_ready(line, seq));
}

/* The line holds n bytes of the source; afterwards it may be written again. */
static void check_line(struct wf_line *line, uint32_t n)
{
	unsigned char data[WF_LINE_DATA];

	if (f.rank[1].dev->caps & WF_CAP_LINE_PLAIN) {
		TAP_EQUAL(wf_line_length(line), n);
		memcpy(data, wf_line_content(line, n), n);
	} else {
		TAP_EQUAL(wf_ll_length(line), n);
		wf_ll_read(line, data);
		wf_ll_clear(line);
	}
	TAP_EQUAL(memcmp(data, source, n), 0);
}

static void lines(void)
{
	struct wf_ep *ep = pair();
	struct wf_rloc rloc;
	struct wf_line *line = fixture_alloc(&f, 1, sizeof(*line), &rloc);
	uint32_t max = ep->dev->line_data;

	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t n = i % (max + 1);

		fill(n, i);
		TAP_CHECK(!is_ready(line, i + 1));
		TAP_EQUAL(fixture_line(&f, ep, rloc, source, n, i + 1),
			  WEFT_OK);
		memset(source, 0xcc, n);	/* it was copied */
		await_line(line, i + 1);
		fill(n, i);
		check_line(line, n);
	}
	fixture_close(&f);
}

/* From so far on, of the source. */
static void check_from(struct wf_line *line, uint32_t from, uint32_t n)
{
	unsigned char all[WF_LINE_DATA];

	memcpy(all, source + from, n);
	memmove(source, all, n);
	check_line(line, n);
}

/* An even line and the odd one behind it, one of them, or both at once. */
static void two_lines(void)
{
	enum { EVEN, ODD, BOTH, WAYS };
	struct wf_ep *ep = pair();
	struct wf_rloc rloc;
	struct wf_line *line = fixture_alloc(&f, 1, 3 * sizeof(*line), &rloc);
	uint32_t max = ep->dev->line_data;

	if (rloc.addr % (2 * WF_LINE_BYTES)) {
		rloc.addr += WF_LINE_BYTES;
		line++;
	}
	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t n[2] = { i % (max + 1), i / 3 % (max + 1) };
		struct wf_piece piece[2] = {
			{ source, n[0] }, { source + max, n[1] }
		};
		struct wf_rloc dst = rloc;
		uint32_t way = i % WAYS;
		uint64_t before = ep->posted;

		fill(2 * (size_t)max, i);
		if (way == ODD)
			dst.addr += WF_LINE_BYTES;
		TAP_EQUAL(fixture_lines(&f, ep, dst, piece + (way == ODD),
					way == BOTH ? 2 : 1, i + 1), WEFT_OK);
		TAP_EQUAL(ep->posted, before + 1);
		memset(source, 0xcc, 2 * (size_t)max);	/* it was copied */
		for (uint32_t k = 0; k < 2; k++) {
			if (way != BOTH && way != k) {
				TAP_CHECK(!is_ready(&line[k], i + 1));
				continue;
			}
			await_line(&line[k], i + 1);
			fill(2 * (size_t)max, i);
			check_from(&line[k], k * max, n[k]);
		}
	}
	fixture_close(&f);
}

/* The bytes around a put stay as they are. */
static void check_put(const unsigned char *to, size_t n)
{
	for (int i = 0; i < GUARD; i++) {
		TAP_EQUAL(to[i], 0x11);
		TAP_EQUAL(to[GUARD + n + (size_t)i], 0x11);
	}
	TAP_EQUAL(memcmp(to + GUARD, source, n), 0);
}

static void puts_of_all_sizes(void)
{
	struct wf_ep *ep = pair();
	struct wf_rloc rloc;
	unsigned char *to = fixture_alloc(&f, 1, sizeof(source) + 2 * GUARD,
					  &rloc);

	rloc.addr += GUARD;
	for (int i = 0; i < TAP_COUNT(sizes); i++) {
		uint64_t before = ep->posted;

		memset(to, 0x11, sizeof(source) + 2 * GUARD);
		fill(sizes[i], (unsigned)i);
		TAP_EQUAL(fixture_put(&f, ep, source, rloc, sizes[i]),
			  WEFT_OK);
		TAP_CHECK(ep->posted > before);
		fixture_flush(&f, ep, ep->posted);
		check_put(to, sizes[i]);
	}
	fixture_close(&f);
}

static void put_signals(void)
{
	struct wf_ep *ep = pair();
	struct wf_rloc rloc;
	unsigned char *to = fixture_alloc(&f, 1, sizeof(source) + 2 * GUARD,
					  &rloc);
	uint32_t sig = fixture_signal(&f, 1);

	rloc.addr += GUARD;
	for (int i = 0; i < TAP_COUNT(sizes); i++) {
		memset(to, 0x11, sizeof(source) + 2 * GUARD);
		fill(sizes[i], (unsigned)i);
		TAP_EQUAL(fixture_put_signal(&f, ep, source, rloc, sizes[i],
					     sig), WEFT_OK);
		fixture_await_count(&f, 1, sig, (uint64_t)i + 1);
		check_put(to, sizes[i]);
	}
	fixture_settle(&f);
	TAP_EQUAL(fixture_count(&f, 1, sig), TAP_COUNT(sizes));
	fixture_close(&f);
}

/* With a head word, a cache line before the payload. */
static void heads(void)
{
	struct wf_ep *ep = pair();
	struct wf_rloc rloc;
	char *to = fixture_alloc(&f, 1, WF_HEAD_BYTES + sizeof(source) +
				 GUARD, &rloc);
	uint32_t sig = fixture_signal(&f, 1);

	for (int i = 0; i < TAP_COUNT(sizes); i++) {
		size_t n = sizes[i];
		uint64_t head = UINT64_C(0x0123456789abcdef) * (i + 1u), want;
		int status;

		want = head;
		memset(to, 0x11, WF_HEAD_BYTES + sizeof(source) + GUARD);
		fill(n, (unsigned)i);
		do {
			status = ep->ops->put_signal(ep, wf_loc_any(source),
						     rloc, n, sig, &head);
			if (status == WEFT_AGAIN)
				fixture_pump(&f);
		} while (status == WEFT_AGAIN);
		TAP_EQUAL(status, WEFT_OK);
		head = 0;			/* it was copied */
		fixture_await_count(&f, 1, sig, (uint64_t)i + 1);
		TAP_EQUAL(memcmp(to, &want, sizeof(want)), 0);
		TAP_EQUAL(memcmp(to + WF_HEAD_BYTES, source, n), 0);
		TAP_EQUAL(to[WF_HEAD_BYTES + n], 0x11);
	}
	fixture_close(&f);
}

/* Nothing is looked at but the signal. */
static void zero_bytes(void)
{
	struct wf_ep *ep = pair();
	struct wf_rloc nowhere = { UINT64_MAX, 0 };
	uint32_t sig = fixture_signal(&f, 1);

	for (int i = 0; i < ROUNDS; i++) {
		TAP_EQUAL(fixture_put_signal(&f, ep, NULL, nowhere, 0, sig),
			  WEFT_OK);
		TAP_EQUAL(fixture_put(&f, ep, NULL, nowhere, 0), WEFT_OK);
	}
	fixture_await_count(&f, 1, sig, ROUNDS);
	fixture_settle(&f);
	TAP_EQUAL(fixture_count(&f, 1, sig), ROUNDS);
	fixture_close(&f);
}

static void many_signals(void)
{
	enum { SIGNALS = 1500 };
	static uint32_t sig[SIGNALS];
	struct wf_ep *ep = pair();
	struct wf_rloc nowhere = { 0, 0 };

	for (int i = 0; i < SIGNALS; i++)
		sig[i] = fixture_signal(&f, 1);
	for (int i = 0; i < SIGNALS; i++)
		for (int k = 0; k < i % 3; k++)
			TAP_EQUAL(fixture_put_signal(&f, ep, NULL, nowhere, 0,
						     sig[i]), WEFT_OK);
	fixture_settle(&f);
	for (int i = 0; i < SIGNALS; i++)
		TAP_EQUAL(fixture_count(&f, 1, sig[i]), i % 3);
	TAP_EQUAL(wf_signals_dropped(&f.rank[1].signals), 0);
	fixture_close(&f);
}

static void wrong_generation(void)
{
	struct wf_ep *ep = pair();
	struct wf_rloc nowhere = { 0, 0 };
	uint32_t old = fixture_signal(&f, 1), now, never;

	TAP_EQUAL(fixture_put_signal(&f, ep, NULL, nowhere, 0, old), WEFT_OK);
	fixture_await_count(&f, 1, old, 1);
	wf_signal_free(&f.rank[1].signals, old);
	now = fixture_signal(&f, 1);
	TAP_EQUAL(wf_signal_index(now), wf_signal_index(old));
	never = 900000 | 1u << WF_SIGNAL_INDEX_BITS;
	f.violations = 2;
	TAP_EQUAL(fixture_put_signal(&f, ep, NULL, nowhere, 0, old), WEFT_OK);
	TAP_EQUAL(fixture_put_signal(&f, ep, NULL, nowhere, 0, never),
		  WEFT_OK);
	fixture_settle(&f);
	TAP_EQUAL(fixture_count(&f, 1, now), 0);
	TAP_EQUAL(wf_signals_dropped(&f.rank[1].signals), 2);
	TAP_EQUAL(fixture_put_signal(&f, ep, NULL, nowhere, 0, now), WEFT_OK);
	fixture_await_count(&f, 1, now, 1);
	TAP_EQUAL(wf_signals_dropped(&f.rank[1].signals), 2);
	fixture_close(&f);
}

/* A number goes from one sender to another, with count 0 again. */
static void reuse(void)
{
	struct wf_rloc nowhere = { 0, 0 };

	fixture_open(&f, 3, 2);
	fixture_connect(&f, 0, 1);
	fixture_connect(&f, 2, 1);
	for (int i = 0; i < 50; i++) {
		struct wf_ep *ep = f.rank[i % 2 * 2].ep[1];
		uint32_t sig = fixture_signal(&f, 1);

		TAP_EQUAL(fixture_count(&f, 1, sig), 0);
		for (int k = 0; k < 3; k++)
			TAP_EQUAL(fixture_put_signal(&f, ep, NULL, nowhere, 0,
						     sig), WEFT_OK);
		fixture_await_count(&f, 1, sig, 3);
		wf_signal_free(&f.rank[1].signals, sig);
	}
	TAP_EQUAL(wf_signals_dropped(&f.rank[1].signals), 0);
	fixture_close(&f);
}

/* What was made after the peer attached, and lies beyond the old end. */
static void growth(void)
{
	struct wf_ep *ep = pair();
	uint64_t before = f.rank[1].segment.size;

	for (int i = 0; i < 4; i++) {
		struct wf_rloc rloc;
		unsigned char *to = fixture_alloc(&f, 1, (size_t)2 << 20,
						  &rloc);
		uint32_t sig = fixture_signal(&f, 1);

		rloc.addr += (1 << 20);
		fill(sizeof(source), (unsigned)i);
		TAP_EQUAL(fixture_put_signal(&f, ep, source, rloc,
					     sizeof(source), sig), WEFT_OK);
		fixture_await_count(&f, 1, sig, 1);
		TAP_EQUAL(memcmp(to + (1 << 20), source, sizeof(source)), 0);
	}
	TAP_CHECK(f.rank[1].segment.size >= before + ((size_t)8 << 20));
	fixture_close(&f);
}

/* Operands in registered memory and in the arena of the device. */
static void regions(void)
{
	struct wf_ep *ep = pair();
	struct wf_device *dev = ep->dev;
	struct wf_region *region;
	struct wf_rloc rloc, own;
	char *to = fixture_alloc(&f, 1, 64, &rloc);
	char *from = fixture_alloc(&f, 0, 64, &own);
	uint32_t sig = fixture_signal(&f, 1);
	struct wf_loc loc;

	fill(sizeof(source), 3);
	TAP_EQUAL(dev->ops->reg(dev, source, sizeof(source), &region),
		  WEFT_OK);
	TAP_CHECK(region->dev == dev && region->base == source);
	loc = (struct wf_loc){ region, 100 };
	TAP_CHECK(wf_loc_address(loc) == source + 100);
	while (ep->ops->put_signal(ep, loc, rloc, 64, sig, NULL) == WEFT_AGAIN)
		fixture_pump(&f);
	fixture_await_count(&f, 1, sig, 1);
	TAP_EQUAL(memcmp(to, source + 100, 64), 0);
	memcpy(from, "from the arena", 15);
	loc = (struct wf_loc){ &dev->arena,
			       (uint64_t)(from - (char *)dev->arena.base) };
	while (ep->ops->put_signal(ep, loc, rloc, 15, sig, NULL) == WEFT_AGAIN)
		fixture_pump(&f);
	fixture_await_count(&f, 1, sig, 2);
	TAP_EQUAL(memcmp(to, "from the arena", 15), 0);
	fixture_flush(&f, ep, ep->posted);
	dev->ops->release(region);
	fixture_close(&f);
}

/* Memory that no segment holds, by its address. */
static void anywhere(void)
{
	struct wf_ep *ep = pair();
	struct wf_device *dev = f.rank[1].dev;
	unsigned char *to = malloc(sizeof(source) + 2 * GUARD);
	uint32_t sig = fixture_signal(&f, 1);
	struct wf_rloc rloc = { 0, 0 };

	if (!(dev->caps & WF_CAP_ANYWHERE)) {
		TAP_CHECK(!ep->writes_anywhere);
		tap_skip("without WF_CAP_ANYWHERE");
	}
	for (int i = 0; ep->writes_anywhere && i < TAP_COUNT(sizes); i++) {
		memset(to, 0x11, sizeof(source) + 2 * GUARD);
		fill(sizes[i], (unsigned)i);
		TAP_EQUAL(dev->ops->key(&dev->anywhere,
					(uintptr_t)to + GUARD, &rloc),
			  WEFT_OK);
		TAP_EQUAL(fixture_put_signal(&f, ep, source, rloc, sizes[i],
					     sig), WEFT_OK);
		fixture_await_count(&f, 1, sig, (uint64_t)i + 1);
		check_put(to, sizes[i]);
		memset(to, 0x11, sizeof(source) + 2 * GUARD);
		TAP_EQUAL(fixture_put(&f, ep, source, rloc, sizes[i]),
			  WEFT_OK);
		fixture_flush(&f, ep, ep->posted);
		check_put(to, sizes[i]);
	}
	free(to);
	fixture_close(&f);
}

/* What is stored there is seen with the signal, as bytes of a put are. */
static void store_there(struct wf_ep *ep, struct wf_rloc rloc,
			unsigned char *to, uint32_t sig)
{
	const struct wf_rloc nowhere = { 0, 0 };
	void *here;

	for (int i = 0; i < TAP_COUNT(sizes); i++) {
		TAP_EQUAL(ep->dev->ops->reach(ep, rloc, sizeof(source), sig,
					      &here), WEFT_OK);
		memset(to, 0x11, sizeof(source) + 2 * GUARD);
		fill(sizes[i], (unsigned)i);
		memcpy(here, source, sizes[i]);
		TAP_EQUAL(fixture_put_signal(&f, ep, NULL, nowhere, 0, sig),
			  WEFT_OK);
		fixture_await_count(&f, 1, sig, (uint64_t)i + 1);
		check_put(to, sizes[i]);
	}
	TAP_EQUAL(ep->dev->ops->reach(ep, rloc, 1,
				      sig + (1u << WF_SIGNAL_INDEX_BITS),
				      &here), WEFT_OK);
	TAP_CHECK(!here);
	rloc.key++;
	TAP_EQUAL(ep->dev->ops->reach(ep, rloc, 1, sig, &here),
		  WEFT_ERR_RANGE);
	rloc = (struct wf_rloc){ UINT64_MAX - 7, rloc.key - 1 };
	TAP_EQUAL(ep->dev->ops->reach(ep, rloc, 64, sig, &here),
		  WEFT_ERR_RANGE);
}

static void mapped(void)
{
	struct wf_ep *ep = pair();
	struct wf_rloc rloc;
	unsigned char *to = fixture_alloc(&f, 1, sizeof(source) + 2 * GUARD,
					  &rloc);
	uint32_t sig = fixture_signal(&f, 1);
	void *here;

	rloc.addr += GUARD;
	if (ep->dev->caps & WF_CAP_MAPPED) {
		store_there(ep, rloc, to, sig);
	} else {
		TAP_EQUAL(ep->dev->ops->reach(ep, rloc, 1, sig, &here),
			  WEFT_ERR_UNSUPPORTED);
		tap_skip("without WF_CAP_MAPPED");
	}
	fixture_close(&f);
}

/* AGAIN, if it is said at all, ends with progress; nothing is lost by it. */
static void burst(void)
{
	enum { SLOTS = 64 };
	struct wf_ep *ep = pair();
	struct wf_rloc rloc;
	uint64_t *to = fixture_alloc(&f, 1, SLOTS * 64, &rloc), value[ROUNDS];
	uint32_t sig = fixture_signal(&f, 1);
	int again = 0;

	for (uint64_t i = 0; i < ROUNDS; i++) {
		struct wf_rloc dst = { rloc.addr + i % SLOTS * 64, rloc.key };
		struct wf_loc src = wf_loc_any(&value[i]);

		value[i] = i + 1;
		/* a slot is put again only when its last put was counted */
		if (i >= SLOTS)
			fixture_await_count(&f, 1, sig, i);
		while (ep->ops->put_signal(ep, src, dst, 8, sig, NULL) ==
		       WEFT_AGAIN && again++ < 1000000)
			fixture_pump(&f);
	}
	fixture_await_count(&f, 1, sig, ROUNDS);
	for (uint64_t i = ROUNDS - SLOTS; i < ROUNDS; i++)
		TAP_EQUAL(to[i % SLOTS * 8], i + 1);
	fixture_flush(&f, ep, ep->posted);
	TAP_EQUAL(ep->done, ep->posted);
	fixture_close(&f);
}

const struct tap_case conform_rma[] = {
	{ "a line has its data, length and sequence number", lines },
	{ "one of two lines, or both at once", two_lines },
	{ "puts of all sizes, and nothing beside them", puts_of_all_sizes },
	{ "a count is not seen before the bytes", put_signals },
	{ "a head word goes in front", heads },
	{ "zero bytes raise the signal", zero_bytes },
	{ "signals of several blocks", many_signals },
	{ "a wrong generation is dropped and counted", wrong_generation },
	{ "a number is given again, with count 0", reuse },
	{ "memory that a peer grows by is reached", growth },
	{ "registered and arena sources", regions },
	{ "memory outside of the segment", anywhere },
	{ "memory of a peer that is mapped", mapped },
	{ "as many as it takes, AGAIN included", burst },
};

const int conform_rma_n = TAP_COUNT(conform_rma);
