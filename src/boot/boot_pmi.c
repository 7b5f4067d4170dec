/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job started by a launcher that speaks PMI-1 on the socket PMI_FD: Hydra
 * (mpiexec of MPICH) and srun --mpi=pmi2. Opened by boot.c when the
 * environment shows one.
 *
 * One request is under way at a time and each is answered by one line. An
 * operation has one deadline for all its requests; after one that failed
 * (`dead`) nothing is asked any more: an answer might still come and would be
 * taken for that of the next request. Puts are kept here until the next
 * fence, because a store of PMI-1 refuses a second value for a key.
 *
 * The descriptor is not passed on to what the process executes.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "boot/boot_impl.h"
#include "boot/kv.h"
#include "boot/leash.h"
#include "boot/pmi_conn.h"

#define KVS_NAME_MAX 256 /* its end included */
#define ABORT_NS (5 * WF_NS_PER_S) /* for the launcher to take an abort */

struct boot_pmi {
	struct wf_boot base;
	struct wf_pmi_conn conn;
	uint64_t deadline_ns; /* of the operation that is under way */
	const char *what;     /* and its name */
	struct wf_kv puts;    /* since the last fence */
	struct wf_leash *leash;
	bool dead;
	char kvs[KVS_NAME_MAX];
	char reply[WF_PMI_LINE_MAX];
};

static struct boot_pmi *pmi_boot(struct wf_boot *boot)
{
	return (struct boot_pmi *)boot;
}

static void on_tick(void *owner)
{
	const struct boot_pmi *self = owner;

	wf_boot_tick(&self->base, self->what);
}

static int begin(struct boot_pmi *self, const char *what)
{
	uint64_t now = wf_clock_ns();
	uint64_t timeout_ns = self->base.timeout_ns;

	if (self->dead)
		return wf_boot_fail(&self->base, WEFT_ERR_BOOT, "the launcher "
				    "did not answer before; %s was not tried",
				    what);
	self->what = what;
	self->deadline_ns = timeout_ns < UINT64_MAX - now ? now + timeout_ns :
							    UINT64_MAX;
	return WEFT_OK;
}

/* The sentence for a request that was not answered as PMI-1 says. */
static int lost(struct boot_pmi *self, int status, const char *what)
{
	struct wf_boot *boot = &self->base;
	int error = errno;

	self->dead = true;
	if (status == WEFT_ERR_TIMEOUT)
		return wf_boot_fail(boot, status, "%s did not end in %g s "
				    "(WEFT_TIMEOUT): the launcher is gone, or "
				    "a rank has not come (PMI_FD %d, rank %d "
				    "of %d)", what, (double)boot->timeout_ns /
				    WF_NS_PER_S, self->conn.fd, boot->rank,
				    boot->size);
	return wf_boot_fail(boot, status, "%s failed: %s (PMI_FD %d, rank %d "
			    "of %d): the launcher has ended, or this process "
			    "is not one that it started; start with `srun "
			    "--mpi=pmi2`, `mpiexec.hydra -n N` or `weftrun -n "
			    "N`", what, error == 0 ? "the launcher has closed "
			    "the connection" : strerror(error), self->conn.fd,
			    boot->rank, boot->size);
}

static int odd_reply(struct boot_pmi *self, const char *what)
{
	self->dead = true;
	return wf_boot_fail(&self->base, WEFT_ERR_BOOT, "%s failed: the "
			    "launcher answered \"%.100s\" on PMI_FD %d", what,
			    self->reply, self->conn.fd);
}

/*
 * Sends the line of `format` and awaits the reply `cmd`, which stays in
 * self->reply. `what` names the operation in the sentence of a failure.
 */
__attribute__((format(printf, 4, 5)))
static int ask(struct boot_pmi *self, const char *what, const char *cmd,
	       const char *format, ...)
{
	char line[WF_PMI_LINE_MAX];
	va_list args;
	int status;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	status = wf_pmi_send(&self->conn, line, self->deadline_ns);
	if (status == WEFT_OK)
		status = wf_pmi_receive(&self->conn, self->reply,
					self->deadline_ns);
	if (status != WEFT_OK)
		return lost(self, status, what);
	if (!wf_pmi_is(self->reply, cmd))
		return odd_reply(self, what);
	return WEFT_OK;
}

/* Where the launcher has no reason to say no. */
static int check_rc(struct boot_pmi *self, const char *what)
{
	int rc;

	if (wf_pmi_number(self->reply, "rc", &rc) && rc != 0)
		return odd_reply(self, what);
	return WEFT_OK;
}

static int pmi_put(struct wf_boot *boot, const char *key, const void *value,
		   size_t n)
{
	if (n > WF_PMI_VALUE_MAX)
		return wf_boot_fail(boot, WEFT_ERR_SIZE, "value %s has %zu "
				    "bytes, more than %zu", key, n,
				    WF_PMI_VALUE_MAX);
	if (wf_kv_put(&pmi_boot(boot)->puts, 0, key, value, n) != WEFT_OK)
		return wf_boot_fail(boot, WEFT_ERR_NOMEM, "no memory for value "
				    "%s of %zu bytes", key, n);
	return WEFT_OK;
}

/* Puts the pieces of one value, weft-RANK-KEY-0, -1, ... */
static int send_value(struct boot_pmi *self, const struct wf_kv_entry *entry)
{
	char *digits = wf_pmi_encode(entry->bytes, entry->n);
	size_t n = WF_PMI_HEAD + 2 * entry->n;
	size_t at;
	int status = WEFT_OK;

	if (digits == NULL)
		return wf_boot_fail(&self->base, WEFT_ERR_NOMEM, "no memory "
				    "for value %s of %zu bytes", entry->key,
				    entry->n);
	for (at = 0; at < n && status == WEFT_OK; at += WF_PMI_PIECE) {
		status = ask(self, "PMI put", "put_result", "cmd=put "
			     "kvsname=%s key=weft-%d-%s-%zu value=%.*s\n",
			     self->kvs, self->base.rank, entry->key,
			     at / WF_PMI_PIECE, WF_PMI_PIECE, digits + at);
		if (status == WEFT_OK)
			status = check_rc(self, "PMI put");
	}
	free(digits);
	return status;
}

static int pmi_fence(struct wf_boot *boot)
{
	struct boot_pmi *self = pmi_boot(boot);
	const struct wf_kv_entry *entry;
	int status = begin(self, "the PMI barrier");

	for (entry = self->puts.newest; entry != NULL && status == WEFT_OK;
	     entry = entry->next)
		/* Only the newest value of a key counts. */
		if (wf_kv_find(&self->puts, 1, entry->key) == entry)
			status = send_value(self, entry);
	wf_kv_fini(&self->puts);
	wf_kv_init(&self->puts);
	if (status == WEFT_OK)
		status = ask(self, "the PMI barrier", "barrier_out",
			     "cmd=barrier_in\n");
	if (status == WEFT_OK)
		status = check_rc(self, "the PMI barrier");
	if (status != WEFT_OK || self->leash != NULL)
		return status;
	/* Not before: until then every wait for the launcher has a deadline. */
	status = wf_leash_create(self->conn.fd, "the launcher (PMI_FD)",
				 boot->log, &self->leash);
	if (status != WEFT_OK)
		return wf_boot_fail(boot, status, "no memory or thread to "
				    "watch the launcher");
	return WEFT_OK;
}

/* One word of the store; WEFT_ERR_RANGE: there is none of that name. */
static int read_word(struct boot_pmi *self, const char *key, char *word,
		     size_t size)
{
	int rc = 0;
	int status;

	status = ask(self, "PMI get", "get_result", "cmd=get kvsname=%s "
		     "key=%s\n", self->kvs, key);
	if (status != WEFT_OK)
		return status;
	if (wf_pmi_number(self->reply, "rc", &rc) && rc != 0)
		return WEFT_ERR_RANGE;
	if (!wf_pmi_field(self->reply, "value", word, size))
		return odd_reply(self, "PMI get");
	return WEFT_OK;
}

/* The word of a piece, which must be as long as what is left, or full. */
static int read_piece(struct boot_pmi *self, const char *name, size_t left,
		      char *piece)
{
	size_t want = left < WF_PMI_PIECE ? left : WF_PMI_PIECE;
	int status = read_word(self, name, piece, WF_PMI_PIECE + 1);

	if (status == WEFT_OK && strlen(piece) != want)
		return odd_reply(self, "PMI get");
	return status;
}

static int damaged(struct wf_boot *boot, int rank, const char *key)
{
	return wf_boot_fail(boot, WEFT_ERR_BOOT, "value %s of rank %d came "
			    "back damaged from the launcher's store", key,
			    rank);
}

/* The pieces after the first, behind it in `digits`. */
static int read_tail(struct boot_pmi *self, int rank, const char *key,
		     char *digits, size_t n)
{
	char name[64];
	size_t at;
	int status = WEFT_OK;

	for (at = WF_PMI_PIECE; at < n && status == WEFT_OK;
	     at += WF_PMI_PIECE) {
		snprintf(name, sizeof(name), "weft-%d-%s-%zu", rank, key,
			 at / WF_PMI_PIECE);
		status = read_piece(self, name, n - at, digits + at);
	}
	return status == WEFT_ERR_RANGE ? damaged(&self->base, rank, key) :
					  status;
}

/* The whole value whose first piece has come. */
static int read_value(struct boot_pmi *self, int rank, const char *key,
		      const char *piece, struct wf_boot_value *value)
{
	struct wf_boot *boot = &self->base;
	size_t n;
	uint32_t crc;
	char *digits;
	int status;

	if (wf_pmi_decode_head(piece, &n, &crc) != WEFT_OK)
		return damaged(boot, rank, key);
	if (n > value->max)
		return wf_boot_give(boot, key, NULL, n, value);
	digits = calloc(1, WF_PMI_HEAD + 2 * n + WF_PMI_PIECE + 1);
	if (digits == NULL)
		return wf_boot_fail(boot, WEFT_ERR_NOMEM, "no memory for value "
				    "%s of %zu bytes", key, n);
	memcpy(digits, piece, strlen(piece));
	status = read_tail(self, rank, key, digits, WF_PMI_HEAD + 2 * n);
	if (status == WEFT_OK && wf_pmi_decode(digits + WF_PMI_HEAD,
					       value->bytes, n, crc) != WEFT_OK)
		status = damaged(boot, rank, key);
	if (status == WEFT_OK)
		value->n = n;
	free(digits);
	return status;
}

static int pmi_get(struct wf_boot *boot, int rank, const char *key,
		   struct wf_boot_value *value)
{
	struct boot_pmi *self = pmi_boot(boot);
	char piece[WF_PMI_PIECE + 1];
	char name[64];
	int status = begin(self, "PMI get");

	if (status != WEFT_OK)
		return status;
	snprintf(name, sizeof(name), "weft-%d-%s-0", rank, key);
	status = read_word(self, name, piece, sizeof(piece));
	if (status == WEFT_ERR_RANGE)
		return wf_boot_fail(boot, WEFT_ERR_BOOT, "rank %d has put no "
				    "value %s", rank, key);
	if (status != WEFT_OK)
		return status;
	return read_value(self, rank, key, piece, value);
}

static void pmi_abort(struct wf_boot *boot, int code, const char *why)
{
	struct boot_pmi *self = pmi_boot(boot);
	char line[64];

	if (boot->timeout_ns > ABORT_NS)
		boot->timeout_ns = ABORT_NS;
	wf_error(boot->log, "job aborted with code %d: %s", code, why);
	/* It is not answered: the launcher kills the others, and this one. */
	snprintf(line, sizeof(line), "cmd=abort exitcode=%d\n", code);
	if (begin(self, "PMI abort") != WEFT_OK ||
	    wf_pmi_send(&self->conn, line, self->deadline_ns) != WEFT_OK)
		wf_warn(boot->log, "the launcher could not be told");
	_exit(code);
}

static void release(struct boot_pmi *self)
{
	wf_kv_fini(&self->puts);
	free(self->base.node.ranks);
	free(self);
}

static int pmi_close(struct wf_boot *boot)
{
	struct boot_pmi *self = pmi_boot(boot);
	int status = WEFT_OK;

	if (self->leash != NULL)
		wf_leash_destroy(self->leash);
	if (!self->dead) {
		status = begin(self, "PMI finalize");
		if (status == WEFT_OK)
			status = ask(self, "PMI finalize", "finalize_ack",
				     "cmd=finalize\n");
		if (status != WEFT_OK)
			wf_warn(boot->log, "%s", boot->why);
	}
	close(self->conn.fd);
	release(self);
	return status;
}

static const struct wf_boot_ops pmi_ops = {
	"pmi", pmi_put, pmi_fence, pmi_get, pmi_abort, pmi_close,
};

static int greet(struct boot_pmi *self)
{
	int status;

	status = ask(self, "PMI init", "response_to_init",
		     "cmd=init pmi_version=1 pmi_subversion=1\n");
	if (status == WEFT_OK)
		status = check_rc(self, "PMI init");
	if (status == WEFT_OK)
		status = ask(self, "PMI get_my_kvsname", "my_kvsname",
			     "cmd=get_my_kvsname\n");
	if (status != WEFT_OK)
		return status;
	if (!wf_pmi_field(self->reply, "kvsname", self->kvs,
			  sizeof(self->kvs)))
		return odd_reply(self, "PMI get_my_kvsname");
	return WEFT_OK;
}

/* Without a map each rank is on a node of its own. */
static int find_node(struct boot_pmi *self)
{
	struct wf_boot *boot = &self->base;
	struct wf_pmi_node node = { .ranks = NULL };
	char alone[64];
	char text[WF_PMI_LINE_MAX];
	int status = read_word(self, "PMI_process_mapping", text,
			       sizeof(text));

	if (status == WEFT_ERR_RANGE) {
		wf_warn(boot->log, "the launcher does not tell which ranks "
			"share this node; shared memory is not used");
		snprintf(alone, sizeof(alone), "(vector,(0,%d,1))", boot->size);
		status = wf_pmi_map_parse(alone, boot->rank, boot->size,
					  &node);
	} else if (status == WEFT_OK) {
		status = wf_pmi_map_parse(text, boot->rank, boot->size, &node);
		if (status != WEFT_OK)
			return wf_boot_fail(boot, status, "the launcher's map "
					    "of the nodes is malformed: "
					    "%.80s", text);
	}
	if (status != WEFT_OK)
		return status;
	boot->node.ranks = node.ranks;
	boot->node.size = node.n;
	boot->node.count = node.nodes;
	return WEFT_OK;
}

/* A variable of the launcher that is a number from 0 on; -1: it is not. */
static int count(const struct wf_boot_options *options, const char *name)
{
	const char *text = wf_boot_variable(options, name);
	char *end;
	long value;

	if (text == NULL)
		return -1;
	value = strtol(text, &end, 10);
	return *end == '\0' && value >= 0 && value <= INT_MAX ? (int)value :
								-1;
}

static int join(struct boot_pmi *self, const struct wf_boot_options *options)
{
	struct wf_boot *boot = &self->base;
	const char *text = wf_boot_variable(options, "PMI_FD");
	int fd = text != NULL ? wf_pmi_descriptor(text) : -1;
	int status;

	boot->rank = count(options, "PMI_RANK");
	boot->size = count(options, "PMI_SIZE");
	if (fd < 0)
		return wf_boot_fail(boot, WEFT_ERR_BOOT, "PMI_FD is %s, which "
				    "is no open socket of this process: the "
				    "launcher's connection was not passed on "
				    "to it; start with `srun --mpi=pmi2`, "
				    "`mpiexec.hydra -n N` or `weftrun -n N`, "
				    "without a program in between that closes "
				    "descriptors", text != NULL ? text :
				    "not set");
	if (boot->rank < 0 || boot->size < 1 || boot->rank >= boot->size)
		return wf_boot_fail(boot, WEFT_ERR_BOOT, "the launcher says "
				    "that this is rank %d of %d ranks "
				    "(PMI_RANK, PMI_SIZE)", boot->rank,
				    boot->size);
	wf_pmi_conn_init(&self->conn, fd, WF_BOOT_TICK_NS, on_tick, self);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	status = begin(self, "PMI init");
	if (status == WEFT_OK)
		status = greet(self);
	if (status == WEFT_OK)
		status = find_node(self);
	return status;
}

int wf_boot_pmi_open(const struct wf_boot_options *options,
		     struct wf_boot **boot_p, char *why, size_t why_len)
{
	struct boot_pmi *self = wf_boot_create(sizeof(*self), &pmi_ops, options,
					      why, why_len);
	int status;

	if (self == NULL)
		return WEFT_ERR_NOMEM;
	wf_kv_init(&self->puts);
	status = wf_boot_take_launcher(&self->base);
	if (status == WEFT_OK)
		status = join(self, options);
	if (status != WEFT_OK) {
		snprintf(why, why_len, "%s", self->base.why);
		release(self);
		return status;
	}
	*boot_p = &self->base;
	return WEFT_OK;
}
