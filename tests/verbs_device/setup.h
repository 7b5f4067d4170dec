/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What VERBS_DEVICE says: which devices there are, what they can, how they
 * behave, and what goes wrong.  README.md has the words.
 */
#ifndef WEFT_TESTS_VERBS_DEVICE_SETUP_H
#define WEFT_TESTS_VERBS_DEVICE_SETUP_H

#include <infiniband/verbs.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include "tests/verbs_device/world.h"

enum {
	VD_TABLE = 8,			/* GIDs, or partitions, of a port */
	VD_FAILS = 16,
	VD_MISHAPS = 16
};

struct vd_port_setup {
	struct ibv_port_attr attr;	/* of host 0; LIDs count up by host */
	struct ibv_gid_entry gid[VD_TABLE];
	int ngids;
	unsigned foreign;		/* bits of GIDs of other namespaces */
	uint16_t pkey[VD_TABLE];
	int npkeys;
};

struct vd_device_setup {
	char name[32];
	char sysfs[256];		/* its directory there */
	struct ibv_device_attr attr;
	unsigned max_inline;
	unsigned max_sge;
	unsigned ece;			/* options of its vendor; 0: none */
	int vectors;			/* of completion queues */
	bool in_order;			/* the bytes of one write */
	bool keeps;			/* completions of a dead queue pair */
	bool iwarp;
	struct vd_port_setup port[VD_PORTS];
};

/* One in n, of what is drawn; 0: never. */
struct vd_adverse {
	unsigned reorder;		/* writes that are placed late */
	unsigned delay_us;		/* how late, at most */
	unsigned packets;		/* of one write: any order of them */
	unsigned late;			/* writes acknowledged before that */
	unsigned reads;			/* reads passed by what is behind */
	unsigned completions;		/* seen late, with later ones */
	unsigned unready;		/* no receive buffer is a finding */
	unsigned lost, doubled, delayed;	/* datagrams */
	uint64_t seed;
};

/* What costs how much: model.c */
struct vd_model {
	unsigned latency_ns;		/* of the wire, one way */
	unsigned rate;			/* bytes a us; 0: no limit */
	unsigned request_ns;		/* of the adapter */
	unsigned doorbell_ns;		/* of a call that posts */
	unsigned registration_ns, page_ns;
};

/* Calls number [n, n + times) of a function, in a process. */
struct vd_fail {
	char call[32];
	unsigned n, times;
	int error;
	int rank;			/* -1: of each */
	unsigned calls;
};

/* What happens to a port, a device or a queue pair of a host. */
struct vd_mishap {
	enum ibv_event_type event;
	int host, device, port;
	unsigned after_us, for_us;	/* the latter 0: for good */
	bool down;
	bool oneself;			/* a queue pair with oneself */
	bool moves;			/* the GIDs, by one place */
	uint16_t lids;			/* the LID goes up by so many */
	bool begun, ended;		/* for this process */
};

struct vd_setup {
	char world[PATH_MAX];
	uint64_t hash;
	int hosts, host;
	int rank;
	bool others;			/* what is read now is of other hosts */
	struct vd_device_setup device[VD_DEVICES];
	int ndevices;
	struct vd_adverse adverse;
	struct vd_model model;
	struct vd_fail fail[VD_FAILS];
	int nfails;
	struct vd_mishap mishap[VD_MISHAPS];
	int nmishaps;
};

/* setup.c: read once, and again if it has changed while nothing is open */
struct vd_setup *vd_setup(void);
bool vd_setup_again(void);
int vd_host_of(const struct vd_setup *s);
const struct vd_device_setup *vd_device_of(int host, int device);

static inline const struct vd_device_setup *vd_device_setup(int device)
{
	return &vd_setup()->device[device];
}

static inline const struct vd_port_setup *vd_port_setup(int device, int port)
{
	return &vd_device_setup(device)->port[port - 1];
}

static inline const struct vd_port_setup *vd_port_of(int host, int device,
						     int port)
{
	return &vd_device_of(host, device)->port[port - 1];
}

#endif
