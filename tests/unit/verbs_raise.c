/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals of the peer that we swap: where their words are is asked once, and
 * each raise that was posted counts.
 */
#include <errno.h>
#include "tests/tap.h"
#include "tests/unit/verbs_made.h"

enum {
	SIG = WF_SIGNAL_STORED + 5,
	BLOCK = 0x3000,			/* where it is, in the segment */
	SEGMENT = 0x100000,
	KEY = 0x77
};

static char slot[WF_VERBS_SPARE_SLOTS + 4][WF_VERBS_SLOT];
static char sink[sizeof(uint64_t)];

static void open_slots(void)
{
	static struct ibv_mr mr = { .lkey = 1 };

	verbs_made_open();
	made.dev.buffer_mr = &mr;
	made.dev.sink = sink;
	for (int i = 0; i < TAP_COUNT(slot); i++)
		made.dev.free_slot[made.dev.nfree++] = slot[i];
	made.ep->zero = (struct wf_rloc){ SEGMENT, 1 };
	made.ep->directory = SEGMENT + 0x1000;
	made.ep->door = SEGMENT + 0x2000;
}

/* The device writes what it has read where it was to. */
static void read_comes(int n, uint64_t word)
{
	memcpy((void *)(uintptr_t)made.ep->ring[n].request->from.sge[0].addr,
	       &word, sizeof(word));
}

static int raise_it(void)
{
	static const uint64_t eight = 8;
	struct wf_rloc to = { SEGMENT + 0x8000, 1 };

	return made.ep->ep.ops->put_signal(&made.ep->ep, wf_loc_any(&eight),
					   to, sizeof(eight), SIG, NULL);
}

/* Two reads: of the directory, and of the door behind it. */
static void locate(uint64_t offset)
{
	const uint64_t entry = made.ep->directory + sizeof(uint64_t) *
		(SIG / WF_SIGNAL_BLOCK);

	TAP_EQUAL(raise_it(), WEFT_AGAIN);
	TAP_EQUAL(made.nposts, 2);
	TAP_EQUAL(made.post[0].wr.opcode, IBV_WR_RDMA_READ);
	TAP_EQUAL(made.post[0].wr.wr.rdma.remote_addr, entry);
	TAP_EQUAL(made.post[1].wr.wr.rdma.remote_addr, made.ep->door);
	/* Not asked twice. */
	TAP_EQUAL(raise_it(), WEFT_AGAIN);
	TAP_EQUAL(made.nposts, 2);
	read_comes(0, offset);
	read_comes(1, (uint64_t)KEY << 32 | 0x100);
	verbs_made_complete(1, IBV_WC_SUCCESS);
}

/*
 * The last post makes this count of the one before it, behind the bytes: by an
 * atomic op, which no device does before the writes that were posted first.
 */
static void swapped(uint64_t count)
{
	const struct ibv_send_wr *last = &made.post[made.nposts - 1].wr;

	TAP_EQUAL(last->opcode, IBV_WR_ATOMIC_CMP_AND_SWP);
	TAP_EQUAL(last->wr.atomic.rkey, KEY);
	TAP_EQUAL(last->wr.atomic.remote_addr, SEGMENT + BLOCK +
		  SIG % WF_SIGNAL_BLOCK * sizeof(struct wf_signal_line));
	TAP_EQUAL(last->wr.atomic.compare_add, count - 1);
	TAP_EQUAL(last->wr.atomic.swap, count);
}

static void counts(void)
{
	open_slots();
	locate(BLOCK);
	for (uint64_t count = 1; count <= 3; count++) {
		TAP_EQUAL(raise_it(), WEFT_OK);
		TAP_EQUAL(made.nposts, 2 + 2 * (int)count);
		swapped(count);
	}
	verbs_made_close();
}

/*
 * Of a device without atomic ops: a read behind the bytes, and a write that
 * waits for it.
 */
static void stored(void)
{
	open_slots();
	made.dev.port.device.atomic_cap = IBV_ATOMIC_NONE;
	locate(BLOCK);
	for (uint64_t count = 1; count <= 3; count++) {
		const struct made_post *last = &made.post[1 + 3 * count];
		uint64_t word;

		TAP_EQUAL(raise_it(), WEFT_OK);
		TAP_EQUAL(made.nposts, 2 + 3 * (int)count);
		TAP_EQUAL(last[-1].wr.opcode, IBV_WR_RDMA_READ);
		TAP_EQUAL(last->wr.opcode, IBV_WR_RDMA_WRITE);
		TAP_CHECK(last->wr.send_flags & IBV_SEND_FENCE);
		memcpy(&word, last->bytes, sizeof(word));
		TAP_EQUAL(word, count);
		TAP_EQUAL(last->wr.wr.rdma.rkey, KEY);
	}
	verbs_made_close();
}

/* Nothing of it was posted, so that the peer never sees a gap. */
static void refused(void)
{
	open_slots();
	locate(BLOCK);
	TAP_EQUAL(raise_it(), WEFT_OK);
	made.refuse = ENOMEM;
	TAP_EQUAL(raise_it(), WEFT_AGAIN);
	TAP_EQUAL(raise_it(), WEFT_OK);
	swapped(2);
	verbs_made_close();
}

/* The owner counts it instead, and it is looked for once more. */
static void absent(void)
{
	open_slots();
	locate(0);
	TAP_EQUAL(raise_it(), WEFT_OK);
	TAP_EQUAL(made.post[made.nposts - 1].wr.opcode,
		  IBV_WR_ATOMIC_FETCH_AND_ADD);
	TAP_EQUAL(made.post[made.nposts - 1].wr.wr.atomic.remote_addr,
		  made.ep->directory +
		  offsetof(struct wf_signal_directory, dropped));
	TAP_EQUAL(raise_it(), WEFT_AGAIN);
	TAP_EQUAL(made.post[made.nposts - 1].wr.opcode, IBV_WR_RDMA_READ);
	verbs_made_close();
}

/* As a rule nothing is asked, and one work request does it. */
static void by_immediate(void)
{
	static const uint64_t eight = 8;
	struct wf_rloc to = { SEGMENT + 0x8000, 1 };
	uint32_t sig = 3u << WF_SIGNAL_INDEX_BITS | 9;

	open_slots();
	TAP_EQUAL(made.ep->ep.ops->put_signal(&made.ep->ep, wf_loc_any(&eight),
					      to, sizeof(eight), sig, NULL),
		  WEFT_OK);
	TAP_EQUAL(made.nposts, 1);
	TAP_EQUAL(made.post[0].wr.opcode, IBV_WR_RDMA_WRITE_WITH_IMM);
	TAP_EQUAL(wf_verbs_imm_signal(be32toh(made.post[0].wr.imm_data)), sig);
	verbs_made_close();
}

/* So many bytes with a signal, from registered memory. */
static void put_long(size_t n, bool ethernet)
{
	static char bytes[1 << 14];
	static struct ibv_mr mr = { .lkey = 2 };
	struct wf_verbs_region r = {
		.region = { &made.dev.dev, bytes, sizeof(bytes), true },
		.mr = &mr
	};
	struct wf_rloc to = { SEGMENT + 0x8000, 1 };
	uint64_t posted = made.ep->ep.posted;

	made.dev.port.ethernet = ethernet;
	made.dev.port.port.max_msg_sz = 1 << 30;
	made.nposts = 0;
	TAP_EQUAL(made.ep->ep.ops->put_signal(&made.ep->ep,
					      (struct wf_loc){ &r.region, 0 },
					      to, n, 9, NULL), WEFT_OK);
	TAP_EQUAL(made.ep->ep.posted, posted + 1);
	TAP_EQUAL(made.post[made.nposts - 1].wr.opcode,
		  IBV_WR_RDMA_WRITE_WITH_IMM);
}

static void long_ones(void)
{
	open_slots();
	put_long(WF_VERBS_ROUTED, false);
	TAP_EQUAL(made.nposts, 1);
	put_long(WF_VERBS_ROUTED + 1, true);
	TAP_EQUAL(made.nposts, 1);
	put_long(WF_VERBS_ROUTED + 1, false);
	TAP_EQUAL(made.nposts, 2);
	TAP_EQUAL(made.post[0].wr.opcode, IBV_WR_RDMA_WRITE);
	TAP_EQUAL(made.post[0].wr.sg_list->length, WF_VERBS_ROUTED + 1);
	TAP_EQUAL(made.post[1].wr.num_sge, 0);
	/* the memory of the first three is in use until then */
	TAP_EQUAL(made.ep->ep.done, made.ep->ep.posted - 3);
	verbs_made_complete(0, IBV_WC_SUCCESS);
	TAP_EQUAL(made.ep->ep.done, made.ep->ep.posted);
	verbs_made_close();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "each raise counts", counts },
		{ "without atomic ops", stored },
		{ "a raise that is refused", refused },
		{ "a block that is not there", absent },
		{ "others go with their bytes", by_immediate },
		{ "behind long ones on InfiniBand", long_ones }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
