/* SPDX-License-Identifier: BSD-3-Clause */
/* What is compared of two marks, and how one is shown: see mark.h. */
#include "comm/mark.h"

#include <string.h>
#include "base/text.h"

/* Around the name of the collective in that of a call: "weft_X_init". */
enum {
	BEFORE = sizeof("weft_") - 1,
	BEHIND = sizeof("_init") - 1
};

bool wf_mark_is_text(const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 127)
			return false;
	return bytes;
}

/* Is it one that ends within its room? */
static bool is_name(const char *name, size_t room)
{
	size_t n = strnlen(name, room);

	return n < room && (!n || wf_mark_is_text(name, n));
}

bool wf_mark_read(struct wf_mark *mark, const void *payload, size_t bytes)
{
	if (bytes != sizeof(*mark))
		return false;
	memcpy(mark, payload, sizeof(*mark));
	return mark->order && mark->form < WF_MARK_FORMS && mark->root >= -1 &&
	       is_name(mark->call, sizeof(mark->call)) &&
	       is_name(mark->op_name, sizeof(mark->op_name)) &&
	       is_name(mark->type_name, sizeof(mark->type_name));
}

/* The collective alone: of weft_ibcast that is bcast. */
static size_t find_name(const struct wf_mark *m, const char **at_p)
{
	size_t n = strlen(m->call), skip = BEFORE + (m->form == WF_MARK_ONCE);

	if (skip > n)
		skip = n;
	*at_p = m->call + skip;
	n -= skip;
	return m->form == WF_MARK_INIT && n > BEHIND ? n - BEHIND : n;
}

static bool has_same_name(const struct wf_mark *a, const struct wf_mark *b)
{
	const char *name, *other;
	size_t n = find_name(a, &name);

	return n == find_name(b, &other) && !memcmp(name, other, n);
}

bool wf_mark_differs(const struct wf_mark *a, const struct wf_mark *b)
{
	if (a->any || b->any)
		return false;
	return !has_same_name(a, b) || a->root != b->root ||
	       (a->form == WF_MARK_INIT) != (b->form == WF_MARK_INIT) ||
	       a->bytes != b->bytes || a->counts != b->counts ||
	       a->op != b->op || a->type != b->type;
}

static void tell_op(const struct wf_mark *m, char *text, size_t bytes)
{
	if (m->made)
		wf_text_add(text, bytes, ", a user operation");
	else
		wf_text_add(text, bytes, ", weft_op_%s on %s", m->op_name,
			    m->type_name);
}

void wf_mark_tell(const struct wf_mark *m, char *text, size_t bytes)
{
	const char *between = "";

	wf_text_add(text, bytes, "%s (", m->call);
	if (m->root >= 0) {
		wf_text_add(text, bytes, "root %d", m->root);
		between = ", ";
	}
	if (m->bytes != WF_MARK_OWN_BYTES)
		wf_text_add(text, bytes, "%s%llu bytes", between,
			    (unsigned long long)m->bytes);
	else if (m->root < 0)
		wf_text_add(text, bytes, "bytes of each pair");
	if (m->op)
		tell_op(m, text, bytes);
	if (m->counts)
		wf_text_add(text, bytes, ", counts %04x",
			    (unsigned)(m->counts & 0xffff));
	wf_text_add(text, bytes, ")");
}
