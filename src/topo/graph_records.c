/* SPDX-License-Identifier: BSD-3-Clause */
/* Edges on their way to their ends: see graph_records.h. */
#include "topo/graph_records.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <weft/status.h>
#include "base/sort.h"
#include "base/zeroed.h"

/* What an end gets to know of an edge; in the order of the giver. */
struct wf_edge_record {
	int32_t far;			/* the other end */
	int32_t weight;			/* -1: it has none */
	int64_t position;		/* there: twice, and 1: an out-edge */
};

/* A record at one of both: the rank is who gets it, or who gave it. */
struct entry {
	int rank;
	struct wf_edge_record record;
};

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* ---- at the rank that gives them ---- */

static int by_rank(const void *a, const void *b, void *arg)
{
	const struct entry *x = a, *y = b;

	(void)arg;
	if (x->rank != y->rank)
		return compare(x->rank, y->rank);
	return compare(x->record.position, y->record.position);
}

static int64_t count_edges(const struct weft_graph_edges *edges)
{
	int64_t n = 0;

	for (int i = 0; i < edges->n; i++)
		n += edges->degrees[i];
	return n;
}

static void add_ends(struct entry *entry, int64_t position, int from, int to,
		     int weight)
{
	entry[0] = (struct entry){ from, { to, weight, 2 * position + 1 } };
	entry[1] = (struct entry){ to, { from, weight, 2 * position } };
}

static void fill_entries(const struct weft_graph_edges *edges,
			 struct entry *entry)
{
	int64_t at = 0;

	for (int i = 0; i < edges->n; i++)
		for (int k = 0; k < edges->degrees[i]; k++, at++)
			add_ends(entry + 2 * at, at, edges->sources[i],
				 edges->destinations[at],
				 edges->weights ? edges->weights[at] : -1);
}

/* A message for each rank, out of entries in the order of ranks. */
static void fill_mail(struct wf_edge_mail *mail, const struct entry *entry,
		      int64_t n)
{
	int messages = 0;

	for (int64_t i = 0; i < n; i++) {
		if (!i || entry[i].rank != entry[i - 1].rank) {
			mail->ranks[messages] = entry[i].rank;
			mail->bytes[messages++] = 0;
		}
		mail->bytes[messages - 1] += sizeof(*mail->record);
		mail->record[i] = entry[i].record;
	}
	mail->sparse = (struct weft_sparse){
		messages, mail->ranks, mail->bytes, mail->record
	};
}

int wf_edge_mail_make(struct wf_edge_mail *mail,
		      const struct weft_graph_edges *edges)
{
	int64_t n = 2 * count_edges(edges);
	size_t most = (size_t)n + 1;
	struct entry *entry = wf_zeroed(most, sizeof(*entry));
	int status = WEFT_ERR_NOMEM;

	*mail = (struct wf_edge_mail){
		.ranks = malloc(most * sizeof(*mail->ranks)),
		.bytes = malloc(most * sizeof(*mail->bytes)),
		.record = malloc(most * sizeof(*mail->record))
	};
	if (entry && mail->ranks && mail->bytes && mail->record) {
		fill_entries(edges, entry);
		status = wf_sort(entry, (size_t)n, sizeof(*entry), by_rank,
				 NULL);
	}
	if (status)
		wf_edge_mail_free(mail);
	else
		fill_mail(mail, entry, n);
	free(entry);
	return status;
}

void wf_edge_mail_free(struct wf_edge_mail *mail)
{
	free(mail->ranks);
	free(mail->bytes);
	free(mail->record);
	memset(mail, 0, sizeof(*mail));
}

/* ---- at their ends ---- */

/* In-edges first. */
static int by_neighbor(const void *a, const void *b, void *arg)
{
	const struct entry *x = a, *y = b;
	const struct wf_edge_record *r = &x->record, *s = &y->record;

	(void)arg;
	if (r->position % 2 != s->position % 2)
		return compare(r->position % 2, s->position % 2);
	if (r->far != s->far)
		return compare(r->far, s->far);
	if (r->weight != s->weight)
		return compare(r->weight, s->weight);
	if (x->rank != y->rank)
		return compare(x->rank, y->rank);
	return compare(r->position, s->position);
}

static size_t count_records(const struct weft_sparse_got *got)
{
	size_t bytes = 0;

	for (int i = 0; i < got->n; i++)
		bytes += got->bytes[i];
	return bytes / sizeof(struct wf_edge_record);
}

static void read_entries(const struct weft_sparse_got *got,
			 struct entry *entry)
{
	const char *at = got->base;

	for (int i = 0; i < got->n; i++)
		for (size_t bytes = got->bytes[i]; bytes;
		     bytes -= sizeof(entry->record)) {
			entry->rank = got->ranks[i];
			memcpy(&entry->record, at, sizeof(entry->record));
			at += sizeof(entry->record);
			entry++;
		}
}

static void fill_sides(struct wf_edge_sides *sides, const struct entry *entry,
		       size_t n)
{
	int *ranks = sides->numbers, *weights = ranks + n, nin = 0;

	for (size_t i = 0; i < n; i++) {
		nin += entry[i].record.position % 2 == 0;
		ranks[i] = entry[i].record.far;
		weights[i] = entry[i].record.weight;
	}
	sides->in = (struct weft_edges){ nin, ranks, weights };
	sides->out = (struct weft_edges){ (int)n - nin, ranks + nin,
					  weights + nin };
}

int wf_edge_sides_make(struct wf_edge_sides *sides,
		       const struct weft_sparse_got *got)
{
	size_t n = count_records(got);
	struct entry *entry = malloc((n + 1) * sizeof(*entry));
	int status = WEFT_ERR_NOMEM;

	sides->numbers = malloc((2 * n + 1) * sizeof(*sides->numbers));
	if (entry && sides->numbers) {
		read_entries(got, entry);
		status = wf_sort(entry, n, sizeof(*entry), by_neighbor, NULL);
	}
	if (!status)
		fill_sides(sides, entry, n);
	free(entry);
	return status;
}

void wf_edge_sides_free(struct wf_edge_sides *sides)
{
	free(sides->numbers);
	sides->numbers = NULL;
}
