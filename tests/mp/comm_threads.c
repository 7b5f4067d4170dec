/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators of several threads in one job: made, used and freed, with
 * attributes and error functions that call the library.  The ranks are threads
 * of this process, too, so that ThreadSanitizer sees everything.
 *
 * Thread t of a rank works with the threads t of the others on communicators
 * of its own; what all of them have in common is the job and, where a case says
 * so, the world.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include "tests/tap.h"
#include <weft.h>

enum {
	RANKS = 3,
	LINES = 4,			/* threads of a rank */
	LONGEST = 20000,
	TO_ITSELF = 1000, OF_CALLBACKS = 2000,	/* tags */
	NO_RANK = 3000,
	REFUSES = 77			/* a status */
};

struct line;
struct rank;

/* A key of attributes, and how many values there are of it. */
struct key {
	struct weft_keyval *keyval;
	struct rank *rank;
	int number;
	atomic_int values;
};

struct rank {
	pthread_t thread;
	struct weft_inproc *inproc;
	int rank, rounds;
	/* NULL: each line something else */
	int (*once)(struct line *l, int round);
	struct weft_job *job;
	struct weft_comm *world;
	struct key key[LINES];
};

struct line {
	pthread_t thread;
	struct rank *rank;
	int number;
	struct weft_comm *comm;		/* a duplicate of the world */
	struct weft_comm *shared;	/* with the next line */
	pthread_barrier_t *pair;	/* of both */
	int depth;			/* of error functions */
	int heard;			/* of errors */
	char out[LONGEST], in[LONGEST];
};

static int first_of(int status, int then)
{
	return status ? status : then;
}

/* ---- a communicator is used ---- */

static int swap(struct weft_comm *comm, int to, int from, int tag, int value)
{
	struct weft_message_status got = { .source = WEFT_UNDEFINED };
	int in = -1;
	int status = weft_sendrecv(
		comm, &(struct weft_outgoing){ &value, sizeof(value),
			&weft_type_byte, weft_to(to, tag) },
		&(struct weft_incoming){ &in, sizeof(in), &weft_type_byte,
			weft_from(from, tag) }, &got);

	if (status)
		return status;
	return in == value && got.source == from ? WEFT_OK : WEFT_ERR_INTERNAL;
}

static int swap_with_itself(struct weft_comm *comm, int tag, int value)
{
	return swap(comm, weft_comm_rank(comm), weft_comm_rank(comm), tag,
		    value);
}

/* All that its members do together. */
static int use(struct weft_comm *comm, int value)
{
	int me = weft_comm_rank(comm), n = weft_comm_size(comm);
	int64_t one = 1, sum = 0, from_root = me == n - 1 ? value : -1;
	int status = weft_allreduce(comm, &one,
				    weft_part(&sum, 1, &weft_type_int64),
				    &weft_op_sum);

	if (!status)
		status = weft_bcast(comm, weft_part(&from_root, 1,
				    &weft_type_int64), n - 1);
	if (!status)
		status = swap(comm, (me + 1) % n, (me + n - 1) % n, 1, value);
	if (status)
		return status;
	return sum == n && from_root == value ? WEFT_OK : WEFT_ERR_INTERNAL;
}

static int use_and_free(struct weft_comm *comm, int size,
			const struct line *l, int round)
{
	int status, value = LINES * round + l->number;

	if (!comm)
		return size ? WEFT_ERR_INTERNAL : WEFT_OK;
	status = use(comm, value);
	if (weft_comm_size(comm) != size)
		status = first_of(status, WEFT_ERR_INTERNAL);
	return first_of(status, weft_comm_free(&comm));
}

/* ---- constructors ---- */

static int idup(struct weft_comm *comm, struct weft_comm **dup_p)
{
	struct weft_request *req;
	int status = weft_comm_idup(comm, dup_p, &req);

	if (status)
		return status;
	status = weft_request_wait(req);
	return first_of(status, weft_request_free(&req));
}

/* One rank is left out. */
static int all_but(struct weft_comm *comm, int out, struct weft_group **group_p)
{
	struct weft_group *all;
	int status = weft_comm_group(comm, &all);

	if (status)
		return status;
	status = weft_group_excl(all, 1, &out, group_p);
	return first_of(status, weft_group_free(&all));
}

/* By create_group where there is a tag. */
static int create(struct weft_comm *comm, int out, int tag,
		  struct weft_comm **made_p)
{
	struct weft_group *group;
	int status = all_but(comm, out, &group);

	if (status)
		return status;
	if (tag < 0)
		status = weft_comm_create(comm, group, made_p);
	else if (weft_comm_rank(comm) != out)
		status = weft_comm_create_group(comm, group, tag, made_p);
	return first_of(status, weft_group_free(&group));
}

/* Of one that all threads have, so that only tags keep them apart. */
static int create_of_world(struct line *l, int round)
{
	struct weft_comm *made = NULL;
	int out = round % RANKS;
	int status = create(l->rank->world, out, l->number, &made);

	return first_of(status, use_and_free(made, l->rank->rank == out ?
					     0 : RANKS - 1, l, round));
}

static int construct(struct line *l, int round)
{
	int out = round % RANKS, size = RANKS, status;
	bool left_out = l->rank->rank == out;
	struct weft_comm *made = NULL;

	switch (round % 4) {
	case 0:
		status = weft_comm_dup(l->comm, &made);
		break;
	case 1:
		status = idup(l->comm, &made);
		break;
	case 2:
		size = left_out ? 1 : RANKS - 1;
		status = weft_comm_split(l->comm, left_out, 0, &made);
		break;
	default:
		size = left_out ? 0 : RANKS - 1;
		status = create(l->comm, out, -1, &made);
	}
	status = first_of(status, use_and_free(made, size, l, round));
	return first_of(status, create_of_world(l, round));
}

/* ---- one is freed while others send in it ---- */

static void post(struct line *l, int round, struct weft_request **req)
{
	static const size_t lengths[] = { 8, 900, LONGEST };
	size_t bytes = lengths[round % TAP_COUNT(lengths)];
	int me = l->rank->rank;

	memset(l->out, round + me, bytes);
	memset(l->in, round + me, bytes);
	TAP_EQUAL(weft_irecv(l->shared, l->in, bytes, &weft_type_byte,
			     weft_from((me + 1) % RANKS, 0), &req[0]), WEFT_OK);
	TAP_EQUAL(weft_isend(l->shared, l->out, bytes, &weft_type_byte,
			     weft_to((me + RANKS - 1) % RANKS, 0), &req[1]),
		  WEFT_OK);
}

/* The odd line's turn: it sends, and does not free. */
static int send_in_freed(struct line *l, int round)
{
	struct weft_request *req[2] = { NULL, NULL };
	char theirs = (char)(round + (l->rank->rank + 1) % RANKS);
	int status;

	pthread_barrier_wait(l->pair);
	post(l, round, req);
	pthread_barrier_wait(l->pair);
	status = weft_request_wait_all(req, 2, NULL);
	status = first_of(status, weft_request_free(&req[0]));
	status = first_of(status, weft_request_free(&req[1]));
	if (l->in[0] != theirs || l->in[7] != theirs)
		status = first_of(status, WEFT_ERR_INTERNAL);
	return status;
}

static int make_and_free(struct line *l, struct line *other)
{
	struct weft_comm *made = NULL;
	int status = weft_comm_dup(l->comm, &made);

	other->shared = made;
	pthread_barrier_wait(l->pair);
	/* it sends */
	pthread_barrier_wait(l->pair);
	return first_of(status, weft_comm_free(&made));
}

static int free_in_use(struct line *l, int round)
{
	return l->number % 2 ? send_in_freed(l, round) :
			       make_and_free(l, l + 1);
}

/* ---- attributes ---- */

/* What callbacks ask; a message is behind none of another thread. */
static int call_library(struct weft_comm *comm, struct weft_keyval *keyval,
			const struct key *key, const bool *has)
{
	void *value = NULL;
	bool found = false;
	int status = weft_comm_get_attr(comm, keyval, &value, &found);

	if (status)
		return status;
	if ((found && value != key) || (has && found != *has) ||
	    weft_comm_size(comm) != RANKS)
		return WEFT_ERR_INTERNAL;
	status = weft_comm_get_attr(comm, &weft_key_tag_ub, &value, &found);
	if (!status && !found)
		status = WEFT_ERR_INTERNAL;
	return first_of(status, swap_with_itself(comm, OF_CALLBACKS +
						 key->number, key->number));
}

static int copy(struct weft_comm *comm, struct weft_keyval *keyval, void *extra,
		void *value, void **copy_p, bool *keep_p)
{
	struct key *key = extra;

	*copy_p = value;
	*keep_p = true;
	atomic_fetch_add(&key->values, 1);
	return call_library(comm, keyval, key, NULL);
}

/* It can be looked at still. */
static int delete(struct weft_comm *comm, struct weft_keyval *keyval,
		  void *value, void *extra)
{
	static const bool has = true;
	struct key *key = extra;

	if (value != key)
		return WEFT_ERR_INTERNAL;
	atomic_fetch_sub(&key->values, 1);
	return call_library(comm, keyval, key, &has);
}

static int hang(struct weft_comm *comm, struct key *key)
{
	atomic_fetch_add(&key->values, 1);
	return weft_comm_set_attr(comm, key->keyval, key);
}

/* A duplicate of the own one, with its value, which is replaced. */
static int copy_own(struct line *l, struct key *key, int round)
{
	struct weft_comm *made = NULL;
	int status = hang(l->comm, key);

	if (!status)
		status = weft_comm_dup(l->comm, &made);
	if (!status)
		status = hang(made, key);
	if (!status)
		status = use_and_free(made, RANKS, l, round);
	return first_of(status, weft_comm_delete_attr(l->comm, key->keyval));
}

/* The first line duplicates the world, to which the others hang theirs. */
static int copy_of_all(struct line *l, struct key *key, int round)
{
	struct weft_comm *made = NULL;
	int status;

	if (l->number == 0) {
		status = weft_comm_dup(l->rank->world, &made);
		return first_of(status, use_and_free(made, RANKS, l, round));
	}
	status = hang(l->rank->world, key);
	if (!status && round % 2)
		status = hang(l->rank->world, key);
	return first_of(status, weft_comm_delete_attr(l->rank->world,
						      key->keyval));
}

static int attributes(struct line *l, int round)
{
	struct key *key = &l->rank->key[l->number];
	int status = copy_own(l, key, round);

	return first_of(status, copy_of_all(l, key, round));
}

/* ---- errors ---- */

/* The line whose call has failed: error functions are called by its thread. */
static _Thread_local struct line *caller;

static int own_rank(const struct line *l)
{
	return NO_RANK + 10 * l->number + l->depth;
}

static int fail(struct line *l, struct weft_comm *comm)
{
	int status = weft_send(comm, NULL, 0, &weft_type_byte,
			       weft_to(own_rank(l), 0));

	return status == WEFT_ERR_RANGE ? WEFT_OK : WEFT_ERR_INTERNAL;
}

/* It fails by itself, too; the text is that of the call. */
static void hear(struct weft_comm *comm, int status, const char *text,
		 void *arg)
{
	struct weft_type *none;
	struct line *l = caller;
	char number[20];

	TAP_EQUAL(weft_type_dup(l->rank->job, NULL, &none), WEFT_ERR_ARG);
	snprintf(number, sizeof(number), "%d", status == REFUSES ?
		 status : own_rank(l));
	if (!TAP_CHECK(arg == l->rank && strstr(text, number)))
		tap_diag("rank %d, thread %d, %d: %s", l->rank->rank, l->number,
			 status, text);
	l->heard++;
	TAP_EQUAL(swap_with_itself(comm, TO_ITSELF + l->number, l->number),
		  WEFT_OK);
	if (l->depth++ == 0)
		TAP_EQUAL(fail(l, comm), WEFT_OK);
	l->depth--;
}

static int refuse(struct weft_comm *comm, struct weft_keyval *keyval,
		  void *value, void *extra)
{
	int *left = value;

	(void)comm;
	(void)keyval;
	(void)extra;
	return (*left)-- > 0 ? REFUSES : WEFT_OK;
}

/* The free of a communicator that an attribute refuses, once. */
static int fail_to_free(struct line *l)
{
	struct weft_comm *made = NULL;
	struct weft_keyval *keyval;
	int left = 1;
	int status = weft_keyval_create(l->rank->job, NULL, refuse, NULL,
					&keyval);

	if (status)
		return status;
	status = weft_comm_dup(l->comm, &made);
	if (!status)
		status = weft_comm_set_attr(made, keyval, &left);
	if (!status && weft_comm_free(&made) != REFUSES)
		status = WEFT_ERR_INTERNAL;
	if (!status)
		status = weft_comm_free(&made);
	return first_of(status, weft_keyval_free(&keyval));
}

/* A graph with edges from and to nobody, at all ranks. */
static int fail_to_connect(struct line *l)
{
	int nobody = own_rank(l);
	struct weft_edges edges = { 1, &nobody, NULL };
	int status = weft_graph_create_adjacent(l->comm, &edges, &edges, NULL,
						false, &l->shared);

	return status == WEFT_ERR_ARG ? WEFT_OK : WEFT_ERR_INTERNAL;
}

/* What it was told before is told again, while others fail. */
static int tell(struct line *l, struct weft_comm *comm)
{
	const struct weft_errhandler errors = {
		.kind = WEFT_ERRORS_CALL, .call = hear, .arg = l->rank
	};
	struct weft_errhandler now;
	int status = weft_comm_set_errhandler(comm, &errors);

	if (!status)
		status = weft_comm_get_errhandler(comm, &now);
	return !status && now.call != hear ? WEFT_ERR_INTERNAL : status;
}

static int errors(struct line *l, int round)
{
	struct weft_comm *world = l->rank->world;
	int status = first_of(tell(l, l->comm), tell(l, world));

	(void)round;
	l->heard = 0;
	status = first_of(status, fail(l, l->comm));
	status = first_of(status, fail(l, world));
	status = first_of(status, fail_to_free(l));
	status = first_of(status, fail_to_connect(l));
	return !status && l->heard != 8 ? WEFT_ERR_INTERNAL : status;
}

/* ---- ranks and lines ---- */

static void *line_main(void *arg)
{
	static int (*const all[LINES])(struct line *l, int round) = {
		construct, construct, attributes, errors
	};
	struct line *l = arg;
	int (*once)(struct line *l, int round) = l->rank->once;
	int status = WEFT_OK;

	caller = l;
	if (!once)
		once = all[l->number];
	for (int i = 0; !status && i < l->rank->rounds; i++)
		status = once(l, i);
	if (!TAP_EQUAL(status, WEFT_OK))
		tap_diag("rank %d, thread %d", l->rank->rank, l->number);
	return NULL;
}

static void open_keys(struct rank *rank)
{
	for (int i = 0; i < LINES; i++) {
		struct key *key = &rank->key[i];

		*key = (struct key){ .rank = rank, .number = i };
		TAP_EQUAL(weft_keyval_create(rank->job, copy, delete, key,
					     &key->keyval), WEFT_OK);
	}
}

static void close_keys(struct rank *rank)
{
	for (int i = 0; i < LINES; i++) {
		TAP_EQUAL(rank->key[i].values, 0);
		TAP_EQUAL(weft_keyval_free(&rank->key[i].keyval), WEFT_OK);
	}
}

static void run_lines(struct rank *rank)
{
	struct line *line = calloc(LINES, sizeof(*line));
	pthread_barrier_t pair[LINES / 2];

	for (int i = 0; i < LINES / 2; i++)
		pthread_barrier_init(&pair[i], NULL, 2);
	for (int i = 0; i < LINES; i++) {
		line[i].rank = rank;
		line[i].number = i;
		line[i].pair = &pair[i / 2];
		TAP_EQUAL(weft_comm_dup(rank->world, &line[i].comm), WEFT_OK);
	}
	for (int i = 0; i < LINES; i++)
		pthread_create(&line[i].thread, NULL, line_main, &line[i]);
	for (int i = 0; i < LINES; i++)
		pthread_join(line[i].thread, NULL);
	for (int i = 0; i < LINES; i++)
		TAP_EQUAL(weft_comm_free(&line[i].comm), WEFT_OK);
	for (int i = 0; i < LINES / 2; i++)
		pthread_barrier_destroy(&pair[i]);
	free(line);
}

static void *rank_main(void *arg)
{
	struct rank *rank = arg;
	struct weft_job_options options;

	weft_job_options_init(&options, sizeof(options));
	options.inproc = rank->inproc;
	options.inproc_rank = rank->rank;
	options.threads = true;
	if (!TAP_EQUAL(weft_job_open(&options, &rank->job), WEFT_OK))
		return NULL;
	rank->world = weft_job_world(rank->job);
	open_keys(rank);
	run_lines(rank);
	close_keys(rank);
	TAP_EQUAL(weft_job_close(rank->job), WEFT_OK);
	return NULL;
}

static void run(int (*once)(struct line *l, int round))
{
	static struct rank rank[RANKS];
	struct weft_inproc *inproc;

	if (!TAP_EQUAL(weft_inproc_create(RANKS, &inproc), WEFT_OK))
		return;
	for (int r = 0; r < RANKS; r++) {
		rank[r].inproc = inproc;
		rank[r].rank = r;
		rank[r].rounds = (int)tap_figure("EXCHANGES", 600) / 6 + 1;
		rank[r].once = once;
		pthread_create(&rank[r].thread, NULL, rank_main, &rank[r]);
	}
	for (int r = 0; r < RANKS; r++)
		pthread_join(rank[r].thread, NULL);
	weft_inproc_free(&inproc);
}

static void each_makes_its_own(void)
{
	run(construct);
}

static void of_one_parent(void)
{
	run(create_of_world);
}

static void freed_while_others_send(void)
{
	run(free_in_use);
}

static void callbacks_of_attributes(void)
{
	run(attributes);
}

static void functions_of_errors(void)
{
	run(errors);
}

static void all_at_once(void)
{
	run(NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "each thread makes its own", each_makes_its_own },
		{ "all make theirs of one, by tags", of_one_parent },
		{ "one is freed while another thread sends in it",
		  freed_while_others_send },
		{ "callbacks of attributes call the library",
		  callbacks_of_attributes },
		{ "error functions call the library", functions_of_errors },
		{ "all of it at the same time", all_at_once },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
