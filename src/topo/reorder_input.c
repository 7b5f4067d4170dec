/* SPDX-License-Identifier: BSD-3-Clause */
/* From the edges of all ranks to a reorder's graph: see reorder_input.h. */
#include "topo/reorder_input.h"

#include <stdlib.h>
#include <string.h>
#include "base/map.h"
#include "base/zeroed.h"
#include "boot/boot.h"

/* What a message begins with; its edges follow. */
struct head {
	int32_t node;			/* its lowest rank in the world */
	int32_t zero;
	double coords[3];		/* 0 without any */
};

struct edge {
	int32_t to;
	int32_t weight;
};

/* ---- at each rank ---- */

int wf_reorder_mail_make(struct wf_lone_mail *mail, const struct weft_job *job,
			 const struct wf_graph *g, const double *coords,
			 int root)
{
	struct head *head;
	struct edge *edge;
	int n = g ? g->wired_out.n : 0;
	int status = wf_lone_mail_make(mail, root, sizeof(*head) +
				       (size_t)n * sizeof(*edge));

	if (status)
		return status;
	head = mail->content;
	head->node = wf_boot_node_member(job->boot, 0);
	if (coords)
		memcpy(head->coords, coords, sizeof(head->coords));
	edge = (struct edge *)(head + 1);
	for (int i = 0; i < n; i++) {
		int at = wf_wired_at(&g->wired_out, i);

		edge[i] = (struct edge){
			g->out[at].receiver,
			g->out_weight ? g->out_weight[at] : 1
		};
	}
	return WEFT_OK;
}

/* ---- at the one that computes ---- */

static const struct head *next_head(const struct head *at, size_t bytes)
{
	return (const struct head *)((const char *)at + bytes);
}

static int64_t edges_in(size_t bytes)
{
	return (int64_t)((bytes - sizeof(struct head)) / sizeof(struct edge));
}

/* Nodes get numbers in the order of the lowest rank that is there. */
static int read_heads(struct wf_reorder_input *input,
		      const struct weft_sparse_got *got)
{
	const struct head *head = got->base;
	int nodes = 0, status = WEFT_OK;
	struct wf_map number;		/* node -> its number, and 1 */

	wf_map_init(&number);
	for (int i = 0; i < got->n && !status; i++) {
		uint64_t key = (uint64_t)head->node;
		uintptr_t known = (uintptr_t)wf_map_get(&number, key);

		if (!known) {
			known = (uintptr_t)++nodes;
			status = wf_map_put(&number, key, (void *)known);
		}
		input->node[i] = (int)known - 1;
		memcpy(input->coords + 3 * i, head->coords,
		       sizeof(head->coords));
		head = next_head(head, got->bytes[i]);
	}
	wf_map_fini(&number);
	input->places = (struct wf_reorder_places){ nodes, input->node };
	return status;
}

static void read_edges(struct wf_reorder_edge *edge,
		       const struct weft_sparse_got *got)
{
	const struct head *head = got->base;

	for (int i = 0; i < got->n; i++) {
		const struct edge *e = (const struct edge *)(head + 1);

		for (int64_t k = edges_in(got->bytes[i]); k; k--, e++)
			*edge++ = (struct wf_reorder_edge){ i, e->to,
							    e->weight };
		head = next_head(head, got->bytes[i]);
	}
}

static int make_graph(struct wf_reorder_input *input,
		      const struct weft_sparse_got *got)
{
	struct wf_reorder_edge *edge;
	int64_t count = 0;
	int status;

	for (int i = 0; i < got->n; i++)
		count += edges_in(got->bytes[i]);
	edge = malloc(((size_t)count + 1) * sizeof(*edge));
	if (!edge)
		return WEFT_ERR_NOMEM;
	read_edges(edge, got);
	status = wf_reorder_graph_init(&input->graph, got->n, edge, count);
	free(edge);
	return status;
}

int wf_reorder_input_make(struct wf_reorder_input *input,
			  const struct weft_sparse_got *got,
			  const struct wf_reorder_wishes *w)
{
	const char *keep = w->value[WF_REORDER_KEY_KEEP];
	size_t n = (size_t)got->n;
	int status = WEFT_ERR_NOMEM;

	*input = (struct wf_reorder_input){
		.node = malloc((n + 1) * sizeof(*input->node)),
		.coords = malloc((3 * n + 1) * sizeof(*input->coords)),
		.keep = wf_zeroed(n + 1, sizeof(*input->keep))
	};
	if (input->node && input->coords && input->keep)
		status = read_heads(input, got);
	if (!status)
		status = make_graph(input, got);
	if (status)
		wf_reorder_input_free(input);
	else if (keep)
		wf_reorder_mark_kept(keep, got->n, input->keep);
	return status;
}

void wf_reorder_input_free(struct wf_reorder_input *input)
{
	wf_reorder_graph_fini(&input->graph);
	free(input->node);
	free(input->coords);
	free(input->keep);
	memset(input, 0, sizeof(*input));
}
