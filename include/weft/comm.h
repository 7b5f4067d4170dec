/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators: an ordered group of ranks and a context that keeps their
 * messages apart from all others.
 */
#ifndef WEFT_COMM_H
#define WEFT_COMM_H

#include <weft/group.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_comm;
struct weft_job;
struct weft_request;

/**
 * weft_comm_rank, weft_comm_size, weft_comm_job - who this is, of how many
 *
 * Returns:  the own rank in the communicator, 0 up to its size; the number of
 *           its ranks; the job that it belongs to.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_comm_rank(const struct weft_comm *comm);
WEFT_API int weft_comm_size(const struct weft_comm *comm);
WEFT_API struct weft_job *weft_comm_job(const struct weft_comm *comm);

/**
 * weft_comm_name, weft_comm_set_name - what people call it
 *
 * name     shown where the library tells what it waits for; copied.  A child
 *          has none; the world is "world" and weft_job_self() "self" until they
 *          get another one.
 *
 * Returns:  the name, "" for none and for NULL, valid until it is set again;
 *           WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API const char *weft_comm_name(const struct weft_comm *comm);
WEFT_API int weft_comm_set_name(struct weft_comm *comm, const char *name)
	WEFT_MUST_CHECK;

/**
 * weft_comm_userdata, weft_comm_set_userdata - a pointer of the program
 *
 * userdata  kept with the communicator, and neither read nor freed; NULL at
 *           first, of duplicates, too.  Attributes are copied and deleted
 *           (weft/attr.h); this is for one owner, at one load.
 *
 * Returns:  the pointer, NULL for NULL; WEFT_OK, WEFT_ERR_ARG (NULL).
 * Blocks:   no.   Collective: no.
 */
WEFT_API void *weft_comm_userdata(const struct weft_comm *comm);
WEFT_API int weft_comm_set_userdata(struct weft_comm *comm, void *userdata)
	WEFT_MUST_CHECK;

/**
 * weft_comm_compare - how two communicators are alike
 *
 * result_p [out] WEFT_IDENT: one and the same; WEFT_CONGRUENT: the same
 *                  ranks in the same order; WEFT_SIMILAR: in another order;
 *                  WEFT_UNEQUAL
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL, freed, of two jobs).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_comm_compare(struct weft_comm *a, struct weft_comm *b,
			       enum weft_comparison *result_p)
	WEFT_MUST_CHECK;

/**
 * weft_comm_dup - the same ranks with a context of their own
 *
 * dup_p [out]      what is sent in one never meets what is sent in the other.
 *                  A graph's is a graph, with the same edges and weights.
 *                  Attributes are copied as their keys say (weft/attr.h), and
 *                  it has the same hints (weft/info.h).
 *
 * Sends nothing: the id of the new context follows from the parent's.  Where
 * the parent's ids are used up, which weft_context_query() counts, two
 * allreduces tell its members of new ones.  Valid while operations of the
 * parent are under way.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM (also: no ids are left),
 *           WEFT_ERR_PEER, WEFT_ERR_DEVICE, what a callback of an attribute
 *           returned.  Where it failed at one rank alone, what others await
 *           from it on theirs ends with WEFT_ERR_GRAPH.
 * Blocks:   for those.
 * Collective: yes, but it does not synchronise.
 */
WEFT_API int weft_comm_dup(struct weft_comm *comm, struct weft_comm **dup_p)
	WEFT_MUST_CHECK;

/**
 * weft_comm_dup_private - the same ranks with a context, and nothing else
 *
 * dup_p [out]      for the messages of a library: no graph, no attributes or
 *                  hints, and its errors are returned
 *
 * Calls no callback; sends nothing, as weft_comm_dup().
 *
 * Returns:  as weft_comm_dup().
 * Blocks:   as weft_comm_dup().
 * Collective: as weft_comm_dup().
 */
WEFT_API int weft_comm_dup_private(struct weft_comm *comm,
				   struct weft_comm **dup_p) WEFT_MUST_CHECK;

/**
 * weft_comm_idup - as weft_comm_dup(), without blocking
 *
 * dup_p [out]      NULL until the request is complete without an error; it
 *                  stays where it is until then
 * req_p [out]      complete as a rule: only where the parent's ids are used up
 *                  is there something to wait for.  A constructor of the same
 *                  parent that is called meanwhile waits for it.
 *
 * All is as if weft_comm_dup() was called: what is done to the parent's
 * attributes and hints behind the call does not matter.  What fails later fails
 * the request; attributes that were copied by then are deleted by
 * weft_request_free(), with their callbacks.
 *
 * Returns:  as weft_comm_dup(), and the request the same.
 * Blocks:   never, but without memory for the request.
 * Collective: yes, but it does not synchronise.
 */
WEFT_API int weft_comm_idup(struct weft_comm *comm, struct weft_comm **dup_p,
			    struct weft_request **req_p) WEFT_MUST_CHECK;

/**
 * weft_comm_create - some of the ranks, which all know
 *
 * group            of ranks of comm.  All members of a group pass the same;
 *                  several groups may be made at once, if no two have a rank in
 *                  common.  Who is no member of the own one gets NULL.
 * created_p [out]  the ranks of the group, in its order
 *
 * Sends nothing, as weft_comm_dup().  With $WEFT_CHECK=2 an allgather and an
 * allreduce find groups that overlap without being equal, which is an error at
 * all ranks.
 *
 * Returns:  as weft_comm_dup(); WEFT_ERR_ARG: also a group with ranks that comm
 *           does not have.
 * Blocks:   as weft_comm_dup(); with $WEFT_CHECK=2 until all have called it.
 * Collective: yes, over comm; else it does not synchronise.
 */
WEFT_API int weft_comm_create(struct weft_comm *comm,
			      const struct weft_group *group,
			      struct weft_comm **created_p) WEFT_MUST_CHECK;

/**
 * weft_comm_create_group - some of the ranks, and no other one takes part
 *
 * group            of ranks of comm, the same at all its members.  Who is none
 *                  of them may call, sends nothing and gets NULL.
 * tag              0 or more; calls of several threads at once, on the same
 *                  comm, have different ones
 * created_p [out]  the ranks of the group, in its order
 *
 * The first rank of the group takes the ids, and one message to each other one
 * carries them, along a tree.  Works as well where ranks of comm are dead that
 * are none of the group's.
 *
 * Returns:  as weft_comm_create(); WEFT_ERR_ARG: also a negative tag, a group
 *           that is seen to differ from that of a member; WEFT_ERR_PEER: a
 *           member is dead, or has closed its job.  What fails at one member
 *           fails at those below it in the tree.
 * Blocks:   until those above in the tree have called it, and the messages to
 *           those below have left.
 * Collective: yes, over the group; else it does not synchronise.
 */
WEFT_API int weft_comm_create_group(struct weft_comm *comm,
				    const struct weft_group *group, int tag,
				    struct weft_comm **created_p)
	WEFT_MUST_CHECK;

/**
 * weft_comm_split - the ranks of the same colour, in the order of their keys
 *
 * color            0 or more; WEFT_UNDEFINED: with nobody, NULL is the result
 * key              order of the ranks; of equal ones that of comm
 * split_p [out]    those who gave this colour
 *
 * Two exclusive scans in one, of 56 bytes.  That is all where keys do not fall
 * and colours have one run of ranks each, in rising or falling order; or are
 * consecutive numbers in turn; or are one, at a stride, and the other ranks
 * have none.  Else an allgather of 8 bytes follows.  Where a device fails the
 * call at one rank, later collectives of comm are errors.
 *
 * Returns:  as weft_comm_dup(); WEFT_ERR_ARG: also another negative color.
 * Blocks:   until all ranks have called it.   Collective: yes, over comm.
 */
WEFT_API int weft_comm_split(struct weft_comm *comm, int color, int key,
			     struct weft_comm **split_p) WEFT_MUST_CHECK;

/* Which ranks weft_comm_split_type() puts together. */
enum weft_split {
	WEFT_SPLIT_NODE,		/* those on one node; of these: */
	WEFT_SPLIT_NUMA,		/* on CPUs of one NUMA node, */
	WEFT_SPLIT_PACKAGE,		/* of one package, */
	WEFT_SPLIT_L3			/* that share a cache of level 3 */
};

/**
 * weft_comm_split_type - the ranks that share something
 *
 * type             WEFT_SPLIT_NODE: memory; WEFT_UNDEFINED: as a colour
 * key, split_p     as in weft_comm_split(); NULL for a rank that is not bound
 *                  to CPUs of one such object, or whose node has none
 *
 * Each rank passes the type that it likes, and is with those of the same type
 * and object.  By which CPUs the thread that calls may use (hwloc): bind it
 * before.
 *
 * Returns:  as weft_comm_split().
 * Blocks:   until all ranks have called it.   Collective: yes, over comm.
 */
WEFT_API int weft_comm_split_type(struct weft_comm *comm, int type, int key,
				  struct weft_comm **split_p) WEFT_MUST_CHECK;

/* What has become of the context ids, as this rank sees it. */
struct weft_contexts {
	unsigned long long made;	/* communicators and graphs so far */
	unsigned long long live;	/* that something still uses, with the
					   world */
	unsigned long long refills;	/* of pools: two allreduces each */
	unsigned long long left;	/* ids that it can still give */
	unsigned long long reserved[4];	/* 0 */
};

/**
 * weft_context_query - how many contexts there were, are and can be
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_context_query(struct weft_job *job,
				struct weft_contexts *contexts_p)
	WEFT_MUST_CHECK;

/**
 * weft_context_list - the communicators that live, and who made them
 *
 * tell     called once for each, in no order, with a line like
 *          `context 9 "halo", 4 ranks, by weft_comm_dup at solver(+0x12f4)`,
 *          of which `addr2line -e solver 0x12f4` tells the line.  It calls
 *          nothing that takes a job or what belongs to one.
 *
 * With $WEFT_CHECK=2 closing the job warns of those that were not freed, in the
 * same words.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_context_list(struct weft_job *job,
			       void (*tell)(void *arg, const char *text),
			       void *arg) WEFT_MUST_CHECK;

/**
 * weft_comm_free - give a communicator (or graph) up
 *
 * comm_p  set to NULL; NULL inside is fine.  What is under way on it completes,
 *         and the object goes with its last use.  A message that no receive of
 *         this rank waits for is dropped; its sender, if it waits, hears
 *         WEFT_ERR_GRAPH.  Before, its attributes are deleted, the last one
 *         first; if a callback fails, it stays.
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (NULL; the world or weft_job_self(), which
 *           the job owns; one that was freed and is still held by what is under
 *           way, or that is just being freed), what a callback of an attribute
 *           returned.
 * Blocks:   no.   Collective: yes, but it does not synchronise.
 */
WEFT_API int weft_comm_free(struct weft_comm **comm_p) WEFT_MUST_CHECK;

/**
 * weft_comm_disconnect - wait for what is under way on it, then free it
 *
 * comm_p  as of weft_comm_free()
 *
 * Requests that nobody has freed, and regions, keep it beyond that.
 *
 * Returns:  as weft_comm_free(); errors of what was under way tell requests.
 * Blocks:   until all of this rank is over, messages in buffers, too.
 * Collective: yes, but it does not synchronise more than that does.
 */
WEFT_API int weft_comm_disconnect(struct weft_comm **comm_p) WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
