/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The raw loop over libfabric: one write with remote CQ data per message;
 * nobody copies, nobody asks for permission.  The library is loaded, not
 * linked, as weft itself does it: see m4/weft_fabric.m4.  Addresses travel by
 * an allgather made of an allreduce of words of which each rank gives its own.
 */
#include "bench/weft_bench_raw.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WF_HAVE_OFI
#include <dlfcn.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

enum {
	ENTRIES = 8,
	ADDRESS_WORDS = 8,
	WINDOW = 2			/* writes under way, as an edge has */
};

/* What each rank tells the other. */
struct card {
	uint64_t address[ADDRESS_WORDS];
	uint64_t base, key;
};

struct raw {
	struct bench_run *run;
	bool sends, receives;
	struct fi_info *info;
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_ep *ep;
	struct fid_cq *cq;
	struct fid_av *av;
	struct fid_mr *mr;
	fi_addr_t peer;
	struct card theirs;
	char *out, *in;
	size_t bytes;
	struct fi_context2 context[WINDOW];
	uint64_t posted, sent, seen;
};

/* Functions do not fit into void * by the letter of C; POSIX wants it. */
static bool find(const char *name, const char *version, void *function_p)
{
	void *handle = dlopen("libfabric.so.1", RTLD_NOW | RTLD_NODELETE);
	void **to = function_p;

	*to = handle ? dlvsym(handle, name, version) : NULL;
	return *to;
}

static struct fi_info *make_hints(void)
{
	struct fi_info *(*dupinfo)(const struct fi_info *info);
	struct fi_info *hints;

	if (!find("fi_dupinfo", WF_FI_DUPINFO, &dupinfo))
		return NULL;
	hints = dupinfo(NULL);
	if (!hints)
		return NULL;
	hints->caps = FI_MSG | FI_RMA;
	hints->mode = FI_CONTEXT | FI_CONTEXT2;
	hints->ep_attr->type = FI_EP_RDM;
	hints->domain_attr->threading = FI_THREAD_DOMAIN;
	hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
	hints->domain_attr->control_progress = FI_PROGRESS_MANUAL;
	hints->domain_attr->mr_mode = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED |
				      FI_MR_PROV_KEY;
	return hints;
}

/* The first that libfabric gives for the interface. */
static int choose(struct raw *raw, const char *interface)
{
	int (*getinfo)(uint32_t version, const char *node, const char *service,
		       uint64_t flags, const struct fi_info *hints,
		       struct fi_info **info);
	struct fi_info *hints = make_hints();

	if (!hints || !find("fi_getinfo", WF_FI_GETINFO, &getinfo) ||
	    getinfo(FI_VERSION(1, 14), NULL, NULL, 0, hints, &raw->info))
		return bench_raw_fail("libfabric has no provider");
	while (raw->info && strcmp(raw->info->domain_attr->name, interface))
		raw->info = raw->info->next;
	if (raw->info)
		return WEFT_OK;
	fprintf(stderr, "weft-bench: the raw loop: libfabric has no provider "
		"for interface %s\n", interface);
	return WEFT_ERR_UNSUPPORTED;
}

static int open_objects(struct raw *raw, size_t bytes)
{
	int (*fabric)(struct fi_fabric_attr *attr, struct fid_fabric **fabric,
		      void *context);
	struct fi_cq_attr cq = { .size = 64, .format = FI_CQ_FORMAT_DATA };
	struct fi_av_attr av = { .type = FI_AV_TABLE, .count = 2 };

	if (!find("fi_fabric", WF_FI_FABRIC, &fabric) ||
	    fabric(raw->info->fabric_attr, &raw->fabric, NULL) ||
	    fi_domain(raw->fabric, raw->info, &raw->domain, NULL) ||
	    fi_cq_open(raw->domain, &cq, &raw->cq, NULL) ||
	    fi_av_open(raw->domain, &av, &raw->av, NULL) ||
	    fi_endpoint(raw->domain, raw->info, &raw->ep, NULL) ||
	    fi_ep_bind(raw->ep, &raw->cq->fid, FI_TRANSMIT | FI_RECV) ||
	    fi_ep_bind(raw->ep, &raw->av->fid, 0) || fi_enable(raw->ep) ||
	    fi_mr_reg(raw->domain, raw->in, bytes, FI_REMOTE_WRITE, 0, 1, 0,
		      &raw->mr, NULL))
		return bench_raw_fail("its objects cannot be opened");
	return WEFT_OK;
}

/* Both cards to both: each rank adds zeros for the other's. */
static int swap_cards(struct raw *raw)
{
	bool virtual = raw->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR;
	struct card card[2];
	size_t n = sizeof(card[0].address);
	int me = raw->run->rank, status;

	memset(card, 0, sizeof(card));
	if (fi_getname(&raw->ep->fid, card[me].address, &n))
		return bench_raw_fail("its address is too long");
	card[me].base = virtual ? (uintptr_t)raw->in : 0;
	card[me].key = fi_mr_key(raw->mr);
	status = weft_allreduce(raw->run->world, WEFT_IN_PLACE,
				weft_part(card,
					  sizeof(card) / (sizeof(uint64_t)),
					  &weft_type_uint64), &weft_op_sum);
	raw->theirs = card[!me];
	if (!status && fi_av_insert(raw->av, raw->theirs.address, 1,
				    &raw->peer, 0, NULL) != 1)
		status = bench_raw_fail("its address is refused");
	return status;
}

static int progress(struct raw *raw)
{
	struct fi_cq_data_entry entry[ENTRIES];
	ssize_t n = fi_cq_read(raw->cq, entry, ENTRIES);

	if (n == -FI_EAVAIL)
		return bench_raw_fail("a completion failed");
	for (ssize_t i = 0; i < n; i++)
		if (entry[i].flags & FI_REMOTE_CQ_DATA)
			raw->seen++;
		else
			raw->sent++;
	return WEFT_OK;
}

static int send_one(struct raw *raw)
{
	ssize_t result = -FI_EAGAIN;
	int status = WEFT_OK;

	while (!status && result == -FI_EAGAIN) {
		if (raw->posted - raw->sent < WINDOW)
			result = fi_writedata(
				raw->ep, raw->out, raw->bytes, NULL, 1,
				raw->peer, raw->theirs.base, raw->theirs.key,
				&raw->context[raw->posted % WINDOW]);
		if (result == -FI_EAGAIN)
			status = progress(raw);
	}
	if (!status && result)
		return bench_raw_fail("a write failed");
	raw->posted++;
	return status;
}

static int timed(void *arg, long n, double *us_p)
{
	struct raw *raw = arg;
	uint64_t until = raw->seen + (uint64_t)n;
	double start = bench_now();
	int status = WEFT_OK;

	for (long i = 1; i <= n && !status; i++) {
		if (raw->sends)
			status = send_one(raw);
		while (!status && raw->receives &&
		       raw->seen < until - (uint64_t)(n - i))
			status = progress(raw);
	}
	while (!status && raw->sent < raw->posted)
		status = progress(raw);
	*us_p = (bench_now() - start) / (double)n;
	return status;
}

static void close_one(struct fid *fid)
{
	if (fid)
		fi_close(fid);
}

static void take_down(struct raw *raw)
{
	close_one(raw->ep ? &raw->ep->fid : NULL);
	close_one(raw->mr ? &raw->mr->fid : NULL);
	close_one(raw->av ? &raw->av->fid : NULL);
	close_one(raw->cq ? &raw->cq->fid : NULL);
	close_one(raw->domain ? &raw->domain->fid : NULL);
	close_one(raw->fabric ? &raw->fabric->fid : NULL);
	free(raw->out);
	free(raw->in);
}

static void say_case(const struct raw *raw)
{
	char title[160];

	snprintf(title, sizeof(title), "libfabric alone, provider %s on "
		 "interface %s, buffers untouched",
		 raw->info->fabric_attr->prov_name,
		 raw->info->domain_attr->name);
	bench_report_case(raw->run->report, title);
}

int bench_raw_ofi(struct bench_run *run, bool sends, bool receives)
{
	size_t bytes = bench_raw_most(run);
	struct raw raw = {
		.run = run, .sends = sends, .receives = receives,
		.out = aligned_alloc(64, bytes), .in = aligned_alloc(64, bytes)
	};
	int status = raw.out && raw.in ? WEFT_OK : WEFT_ERR_NOMEM;

	if (!status)
		status = choose(&raw, run->options->raw);
	if (!status) {
		memset(raw.out, 1, bytes);
		memset(raw.in, 1, bytes);
		status = open_objects(&raw, bytes);
	}
	if (!status)
		status = swap_cards(&raw);
	if (!status) {
		say_case(&raw);
		status = bench_raw_lines(run, timed, &raw, &raw.bytes);
	}
	if (!status)
		status = weft_barrier(run->world);
	take_down(&raw);
	return status;
}

#else

int bench_raw_ofi(struct bench_run *run, bool sends, bool receives)
{
	(void)run;
	(void)sends;
	(void)receives;
	return bench_raw_fail("built without libfabric");
}

#endif
