/* SPDX-License-Identifier: BSD-3-Clause */
/* What has to be alike of a collective call: see fingerprint.h. */
#include "coll/fingerprint.h"

#include <stdio.h>
#include "base/hash.h"
#include "type/op.h"

static void name_call(struct wf_mark *m, const char *name)
{
	snprintf(m->call, sizeof(m->call), "%s", name);
}

/* Of operations of the program nobody knows whether they are the same. */
static void add_reduction(struct wf_mark *m, const struct wf_coll_call *c)
{
	const struct weft_type *type = c->get.type;

	m->op = (uint8_t)(c->op->kind + 1);
	m->made = c->op->kind == WF_OP_MADE;
	if (m->made)
		return;
	m->type = (uint8_t)(type->kind + 1);
	snprintf(m->op_name, sizeof(m->op_name), "%s", c->op->name);
	snprintf(m->type_name, sizeof(m->type_name), "%s",
		 weft_type_name(type));
}

/*
 * Others may still wait for what this rank has refused, and call nothing else
 * before they hear of it.  False: there is no memory to tell them, so that it
 * cannot wait for them.
 */
static bool may_wait(struct weft_comm *comm)
{
	struct wf_schedule *s;
	bool told = true;

	for (int kind = 0; kind < WF_COLL_KINDS; kind++)
		if (comm->coll.missed[kind])
			told &= !wf_schedule_finish(comm,
						    (enum wf_coll_kind)kind,
						    &s);
	return told;
}

int wf_fingerprint_take(struct weft_comm *comm, const struct wf_coll_call *c,
			enum wf_mark_form form)
{
	const struct wf_coll_key *key = &c->key;
	struct wf_mark m = {
		.form = (uint8_t)form, .bytes = key->bytes,
		.root = key->by->kind == WF_COLL_TREE ? key->root : -1
	};

	name_call(&m, key->call);
	if (c->own_sizes)
		m.bytes = WF_MARK_OWN_BYTES;
	else if (key->ends)
		m.counts = wf_hash64(key->ends, (size_t)comm->size *
				     sizeof(*key->ends), 0);
	if (c->op)
		add_reduction(&m, c);
	return wf_accord_call(comm, &m, form != WF_MARK_ONCE &&
					may_wait(comm));
}

int wf_fingerprint_take_any(struct weft_comm *comm, const char *name)
{
	struct wf_mark m = { .any = true };

	name_call(&m, name);
	return wf_accord_call(comm, &m, false);
}

int wf_fingerprint_take_name(struct weft_comm *comm, const char *name,
			     enum wf_mark_form form)
{
	struct wf_mark m = { .form = (uint8_t)form, .root = -1 };

	name_call(&m, name);
	return wf_accord_call(comm, &m, form != WF_MARK_ONCE && may_wait(comm));
}
