/* SPDX-License-Identifier: BSD-3-Clause */
/* By which GIDs two ports reach each other: see verbs_gid.h. */
#include <string.h>
#include "transport/verbs/verbs_gid.h"

enum wf_gid_kind wf_gid_kind(const uint8_t *gid)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	if (!memcmp(gid, mapped, sizeof(mapped)))
		return WF_GID_IPV4;
	if (gid[0] == 0xfe && (gid[1] & 0xc0) == 0x80)
		return WF_GID_LINK_LOCAL;
	/* The older site-local ones are such, too. */
	if ((gid[0] & 0xfe) == 0xfc || gid[0] == 0xfe)
		return WF_GID_UNIQUE_LOCAL;
	return WF_GID_GLOBAL;
}

/* Of the worse end; WF_GID_KINDS: they cannot reach each other. */
static enum wf_gid_kind kind_of_pair(const uint8_t *a, const uint8_t *b)
{
	enum wf_gid_kind of_a = wf_gid_kind(a), of_b = wf_gid_kind(b);
	enum wf_gid_kind better = of_a < of_b ? of_a : of_b;
	enum wf_gid_kind worse = of_a < of_b ? of_b : of_a;

	if (better == worse || (better == WF_GID_GLOBAL &&
				worse == WF_GID_UNIQUE_LOCAL))
		return worse;
	return WF_GID_KINDS;
}

static int common_bits(const uint8_t *a, const uint8_t *b)
{
	int n = 0;

	while (n < 8 * WF_VERBS_GID_BYTES &&
	       !((a[n / 8] ^ b[n / 8]) >> (7 - n % 8) & 1))
		n++;
	return n;
}

struct judged {
	const uint8_t *low, *high;	/* the two GIDs, by their bytes */
	enum wf_gid_kind kind;
	int common;
};

static struct judged judge(const uint8_t *a, const uint8_t *b)
{
	bool ordered = memcmp(a, b, WF_VERBS_GID_BYTES) <= 0;

	return (struct judged){
		.low = ordered ? a : b, .high = ordered ? b : a,
		.kind = kind_of_pair(a, b), .common = common_bits(a, b)
	};
}

/* The same at both ends, which see the pair from either side. */
static bool is_better(const struct judged *x, const struct judged *y)
{
	int order;

	if (x->kind != y->kind)
		return x->kind < y->kind;
	if (x->common != y->common)
		return x->common > y->common;
	order = memcmp(x->low, y->low, WF_VERBS_GID_BYTES);
	if (!order)
		order = memcmp(x->high, y->high, WF_VERBS_GID_BYTES);
	return order < 0;
}

bool wf_gid_choose(const struct wf_verbs_gids *own,
		   const struct wf_verbs_gids *peer,
		   struct wf_gid_pair *pair_p)
{
	struct judged best = { .kind = WF_GID_KINDS };

	*pair_p = (struct wf_gid_pair){ 0, 0 };
	for (int i = 0; i < own->n && i < WF_VERBS_GIDS; i++)
		for (int j = 0; j < peer->n && j < WF_VERBS_GIDS; j++) {
			struct judged now = judge(own->gid[i], peer->gid[j]);

			if (now.kind == WF_GID_KINDS ||
			    (best.low && !is_better(&now, &best)))
				continue;
			best = now;
			*pair_p = (struct wf_gid_pair){ i, j };
		}
	return best.low;
}
