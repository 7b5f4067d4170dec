/* SPDX-License-Identifier: BSD-3-Clause */
/* The edges of a rank in one message: see graph_move.h. */
#include "topo/graph_move.h"

/*
 * In 32 bits each: how many in-edges, how many out-edges; ranks and then
 * weights of the former, ranks and weights of the latter.
 */
enum {
	HEAD = 2
};

static int32_t *put_side(int32_t *at, const struct wf_edge *edge,
			 const int *weight, int n, bool out)
{
	for (int i = 0; i < n; i++) {
		at[i] = out ? edge[i].receiver : edge[i].sender;
		at[n + i] = weight ? weight[i] : 0;
	}
	return at + 2 * (size_t)n;
}

int wf_move_mail_make(struct wf_lone_mail *mail, const struct wf_graph *g,
		      int to)
{
	size_t n = HEAD + 2 * ((size_t)g->nin + (size_t)g->nout);
	int status = wf_lone_mail_make(mail, to, n * sizeof(int32_t));
	int32_t *at = mail->content;

	if (status)
		return status;
	*at++ = g->nin;
	*at++ = g->nout;
	at = put_side(at, g->in, g->in_weight, g->nin, false);
	put_side(at, g->out, g->out_weight, g->nout, true);
	return WEFT_OK;
}

static const int32_t *get_side(const int32_t *at, bool weighted,
			       struct weft_edges *side)
{
	side->ranks = at;
	side->weights = weighted ? at + side->n : NULL;
	return at + 2 * (size_t)side->n;
}

void wf_move_read(const struct weft_sparse_got *got, bool weighted,
		  struct weft_edges *in, struct weft_edges *out)
{
	const int32_t *at = got->base;

	in->n = at[0];
	out->n = at[1];
	at = get_side(at + HEAD, weighted, in);
	get_side(at, weighted, out);
}
