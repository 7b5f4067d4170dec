/* SPDX-License-Identifier: BSD-3-Clause */
/* The serial model of graphs whose edges any rank gives. */
#include <limits.h>
#include <stdlib.h>

#include "tests/exchange/exchange_draw.h"
#include "tests/exchange/given_graph.h"

/* Who gives which edges. */
enum way {
	STRANGERS,			/* anybody those of anybody */
	OWN,				/* each those that leave it */
	ONE,				/* one rank all of them */
	WAYS
};

static int below(struct draw *draw, int n)
{
	return (int)draw_below(draw, (uint64_t)n);
}

static void add_edge(struct given_model *m, struct draw *draw, int from,
		     int giver)
{
	int weight = below(draw, 8) ? below(draw, 3) : INT_MAX;
	int to = below(draw, m->rule.ranks);

	m->destinations[m->n] = to;
	m->weights[m->n] = weight;
	m->edge[m->n] = (struct given_edge){
		from, to, m->weighted ? weight : 0, giver,
		m->n - m->first_edge[giver]
	};
	m->n++;
}

/* How many nodes does a rank tell of? */
static int draw_nodes(struct given_model *m, struct draw *draw, enum way way,
		      int giver)
{
	const struct given_rule *rule = &m->rule;

	if (way == ONE)
		return giver == (int)(rule->seed % (uint64_t)rule->ranks) ?
		       below(draw, rule->ranks * rule->nodes + 1) : 0;
	return below(draw, 4) ? below(draw, rule->nodes + 1) : 0;
}

static void draw_given(struct given_model *m, struct draw *draw, enum way way,
		       int giver)
{
	int node = m->first_node[giver];
	int end = node + draw_nodes(m, draw, way, giver);

	m->first_edge[giver] = m->n;
	for (; node < end; node++) {
		m->sources[node] = way == OWN ? giver :
						below(draw, m->rule.ranks);
		m->degrees[node] = below(draw, m->rule.degree + 1);
		for (int k = 0; k < m->degrees[node]; k++)
			add_edge(m, draw, m->sources[node], giver);
	}
	m->first_node[giver + 1] = end;
	m->first_edge[giver + 1] = m->n;
}

static void *array(size_t n, size_t bytes)
{
	void *p = calloc(n, bytes);

	if (!p)
		abort();
	return p;
}

void given_init(struct given_model *m, const struct given_rule *rule)
{
	struct draw draw = { rule->seed };
	enum way way = (enum way)draw_below(&draw, WAYS);
	size_t ranks = (size_t)rule->ranks;
	size_t nodes = ranks * (size_t)rule->nodes;
	size_t edges = nodes * (size_t)rule->degree;

	*m = (struct given_model){
		.rule = *rule, .weighted = below(&draw, 2),
		.edge = array(edges, sizeof(*m->edge)),
		.destinations = array(edges, sizeof(*m->destinations)),
		.weights = array(edges, sizeof(*m->weights)),
		.sources = array(nodes, sizeof(*m->sources)),
		.degrees = array(nodes, sizeof(*m->degrees)),
		.first_node = array(ranks + 1, sizeof(*m->first_node)),
		.first_edge = array(ranks + 1, sizeof(*m->first_edge))
	};
	for (int giver = 0; giver < rule->ranks; giver++)
		draw_given(m, &draw, way, giver);
}

void given_fini(struct given_model *m)
{
	free(m->edge);
	free(m->destinations);
	free(m->weights);
	free(m->sources);
	free(m->degrees);
	free(m->first_node);
	free(m->first_edge);
}

/* One end of all is the same rank, the other end is the neighbour. */
static int compare(const void *pa, const void *pb)
{
	const struct given_edge *a = *(const struct given_edge *const *)pa;
	const struct given_edge *b = *(const struct given_edge *const *)pb;
	int difference[] = {
		a->from - b->from, a->to - b->to, a->weight - b->weight,
		a->giver - b->giver, a->position - b->position
	};

	for (int i = 0; i < 5; i++)
		if (difference[i])
			return difference[i];
	return 0;
}

struct given_side given_side_of(const struct given_model *m, int me, bool out)
{
	struct given_side s = { 0, NULL };

	for (int i = 0; i < m->n; i++)
		s.n += (out ? m->edge[i].from : m->edge[i].to) == me;
	s.edge = array((size_t)s.n + 1, sizeof(*s.edge));
	s.n = 0;
	for (int i = 0; i < m->n; i++)
		if ((out ? m->edge[i].from : m->edge[i].to) == me)
			s.edge[s.n++] = &m->edge[i];
	qsort(s.edge, (size_t)s.n, sizeof(*s.edge), compare);
	return s;
}
