/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations that are to be quiet from their second time on: no calls that a
 * watch sees, no memory allocated or freed.  What a loud call is, and how it is
 * seen, each program says for itself.
 */
#ifndef WEFT_TESTS_MP_QUIET_LOOP_H
#define WEFT_TESTS_MP_QUIET_LOOP_H

#include <stdbool.h>
#include <stddef.h>

#include <weft.h>

/* Whose memory is sent and received. */
enum quiet_memory {
	QUIET_ARENA,			/* of weft_mem_alloc() */
	QUIET_REGISTERED,		/* of malloc(), and registered */
	QUIET_OWN			/* of malloc() */
};

/* One kind of operation, and what it works on. */
struct quiet_scene {
	int (*once)(struct quiet_scene *scene);
	enum quiet_memory memory;
	size_t bytes;
	bool allocates;			/* as it may */
	int warm;			/* times before it must be quiet */
	int times;
	struct weft_comm *graph;
	struct weft_dist *dist;
	struct weft_request *req;
	struct weft_request *message[2];	/* sent, received */
	void *in, *out;
	struct weft_mem *mem[2];	/* of them, if they are registered */
	size_t counts[2];
	ptrdiff_t displs[2];
	struct weft_vec send, recv;
};

/* What a loop in its thread has found. */
struct quiet_verdict {
	struct quiet_scene *scene;
	int filter;			/* errno of begin() */
	int failed;			/* calls of the library */
	int judged, loud;
	long allocations, frees;
};

/* Set by the program; it counts while armed. */
struct quiet_watch {
	int (*begin)(void);		/* in the thread of a loop; an errno */
	bool registers;			/* a persistent request its memory */
	_Atomic bool armed;
	_Atomic int calls, first_call;
	const char *_Atomic first_name;	/* NULL: it has a number only */
};

extern struct quiet_watch quiet_watch;

struct weft_job *quiet_job(void);

/* A call that the program has seen; the name may be NULL. */
void quiet_heard(int call, const char *name);

/* The loop of a scene, in a thread of its own. */
bool quiet_listen(struct quiet_scene *scene, struct quiet_verdict *verdict);

/*
 * A job of two ranks, in which `seen` and the operations are cases; these of 8
 * bytes, of 4, 16 and 64 KiB, and of `large`.
 */
int quiet_main(int argc, char **argv, void (*seen)(void), size_t large);

#endif
