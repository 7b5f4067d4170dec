/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The test device keeps its model of time: nothing is there earlier, and what
 * is counted is what was done.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/clock.h"
#include "tests/verbs_device/ends.h"

enum {
	MS = 1000000,
	LONGEST_MS = 10000
};

static uint64_t began;

static void open_ends(const char *description)
{
	ends_open(description, IBV_QPT_RC);
	ends_connect();
	began = wf_clock_ns();
}

static bool took(uint64_t ms)
{
	return wf_clock_ns() - began >= ms * MS;
}

static void post(enum ibv_wr_opcode opcode, size_t n)
{
	struct ends_post p;

	ends_make(&p, opcode, 0, n);
	TAP_EQUAL(ends_post(&p), 0);
}

/* There after the latency, known after two. */
static void latency(void)
{
	static const enum ibv_wr_opcode opcodes[] = {
		IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ
	};

	open_ends("time latency=20000000");
	for (int i = 0; i < 2; i++) {
		volatile char *there = i ? ends[0].bytes : ends[1].bytes;

		began = wf_clock_ns();
		memset(ends[i].bytes, 'a' + i, 8);
		post(opcodes[i], 8);
		while (*there != 'a' + i && !took(LONGEST_MS))
			TAP_EQUAL(ibv_poll_cq(ends[0].scq, 0, NULL), 0);
		TAP_CHECK(took(20));
		TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
		TAP_CHECK(took(40));
	}
	ends_close();
}

/* Bytes go one after another, not each by a wire of its own. */
static void rate(void)
{
	open_ends("time rate=1 request=1000000");
	for (int i = 0; i < 3; i++)
		post(IBV_WR_RDMA_WRITE, 10000);
	for (int i = 1; i <= 3; i++) {
		TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
		TAP_CHECK(took(11 * (uint64_t)i));
	}
	ends_close();
}

/* What a call costs it takes before it returns. */
static void calls(void)
{
	struct ibv_mr *mr;

	open_ends("time doorbell=5000000 registration=7000000 page=1000000");
	post(IBV_WR_RDMA_WRITE, 8);
	TAP_CHECK(took(5));
	began = wf_clock_ns();
	TAP_EQUAL(ends_receive(1, 0, 8), 0);
	TAP_CHECK(took(5));
	began = wf_clock_ns();
	mr = ibv_reg_mr(ends[0].pd, ends[0].bytes, 8192, 0);
	TAP_CHECK(mr && took(9));
	TAP_EQUAL(ibv_dereg_mr(mr), 0);
	TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
	ends_close();
}

/* The counts of all that was done since the device was opened. */
static void counts(void)
{
	char path[] = "/tmp/verbs-device-counts-XXXXXX";
	int doorbells = 0, requests = 0, bytes = 0, registrations = 0;
	int fd = mkstemp(path);
	FILE *from;

	TAP_CHECK(fd >= 0);
	setenv("VERBS_DEVICE_COUNTS", path, 1);
	open_ends("");
	for (int i = 0; i < 3; i++)
		post(IBV_WR_RDMA_WRITE, 100);
	for (int i = 0; i < 3; i++)
		TAP_EQUAL(ends_status(ends[0].scq), IBV_WC_SUCCESS);
	TAP_EQUAL(ends_receive(1, 0, 8), 0);
	ends_close();
	unsetenv("VERBS_DEVICE_COUNTS");
	from = fopen(path, "r");
	TAP_CHECK(from && fscanf(from, "rank %*d: %d doorbells, %d requests, "
				 "%d bytes, %d registrations,", &doorbells,
				 &requests, &bytes, &registrations) == 4);
	if (from)
		fclose(from);
	TAP_EQUAL(doorbells, 4);
	TAP_EQUAL(requests, 3);
	TAP_EQUAL(bytes, 300);
	TAP_EQUAL(registrations, 2);
	close(fd);
	unlink(path);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "there after the latency", latency },
		{ "bytes take their time", rate },
		{ "calls take theirs", calls },
		{ "what is counted", counts },
	};

	return ends_run(argc, argv, cases, TAP_COUNT(cases));
}
