/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups and info objects of no job: before there is one, and without any. */
#include <string.h>
#include <weft.h>
#include "tests/fail_malloc.h"
#include "tests/tap.h"

/* ---- groups ---- */

static void use_groups(void)
{
	const struct weft_group *empty = weft_group_empty();
	struct weft_group *made = NULL, *same = NULL;
	struct weft_range nobody = { 0, -1, 1 };
	enum weft_comparison is = WEFT_UNEQUAL;
	int rank = WEFT_PROC_NULL;

	TAP_CHECK(empty == weft_group_empty());
	TAP_EQUAL(weft_group_size(empty), 0);
	TAP_EQUAL(weft_group_rank(empty), WEFT_UNDEFINED);
	TAP_EQUAL(weft_group_union(empty, empty, &made), WEFT_OK);
	TAP_EQUAL(weft_group_compare(made, empty, &is), WEFT_OK);
	TAP_EQUAL(is, WEFT_IDENT);
	TAP_EQUAL(weft_group_rank(made), WEFT_UNDEFINED);
	TAP_EQUAL(weft_group_range_excl(made, 1, &nobody, &same), WEFT_OK);
	TAP_EQUAL(weft_group_size(same), 0);
	TAP_EQUAL(weft_group_translate(same, 1, &rank, empty, &rank), WEFT_OK);
	TAP_EQUAL(rank, WEFT_PROC_NULL);
	TAP_EQUAL(weft_group_set_userdata(made, &rank), WEFT_OK);
	TAP_CHECK(weft_group_userdata(made) == &rank);
	TAP_EQUAL(weft_group_free(&made), WEFT_OK);
	TAP_EQUAL(weft_group_free(&same), WEFT_OK);
	TAP_CHECK(!made && !same);
}

static void refuse_groups(void)
{
	struct weft_group *empty = (struct weft_group *)weft_group_empty();
	struct weft_group *given = empty, *made = empty;
	const int ranks[] = { WEFT_PROC_NULL, 0 };
	int found[2];

	TAP_EQUAL(weft_group_incl(empty, 2, ranks, &made), WEFT_ERR_ARG);
	TAP_CHECK(!made);
	TAP_EQUAL(weft_group_excl(empty, -1, ranks, &made), WEFT_ERR_ARG);
	TAP_EQUAL(weft_group_union(empty, NULL, &made), WEFT_ERR_ARG);
	TAP_EQUAL(weft_group_translate(empty, 2, ranks, empty, found),
		  WEFT_ERR_ARG);
	TAP_EQUAL(weft_group_translate(empty, -1, ranks, empty, found),
		  WEFT_ERR_ARG);
	TAP_EQUAL(weft_group_free(&given), WEFT_ERR_ARG);
	TAP_CHECK(given == empty);
	TAP_EQUAL(weft_group_set_userdata(empty, found), WEFT_ERR_ARG);
	TAP_CHECK(!weft_group_userdata(empty));
	fail_malloc_once(2);
	TAP_EQUAL(weft_group_union(empty, empty, &made), WEFT_ERR_NOMEM);
	fail_malloc_at(0);
	TAP_CHECK(!made);
}

/* ---- info objects ---- */

static void use_infos(void)
{
	struct weft_info *info = NULL, *dup = NULL;

	TAP_EQUAL(weft_info_create(NULL, &info), WEFT_OK);
	TAP_EQUAL(weft_info_set(info, "order", "strict"), WEFT_OK);
	TAP_EQUAL(weft_info_dup(info, &dup), WEFT_OK);
	TAP_EQUAL(weft_info_delete(info, "order"), WEFT_OK);
	TAP_EQUAL(weft_info_count(info), 0);
	TAP_EQUAL(strcmp(weft_info_get(dup, "order"), "strict"), 0);
	TAP_EQUAL(weft_info_free(&info), WEFT_OK);
	TAP_EQUAL(weft_info_free(&dup), WEFT_OK);
	TAP_CHECK(!info && !dup);
}

static void refuse_infos(void)
{
	struct weft_info *info = NULL, *dup = NULL;

	TAP_EQUAL(weft_info_create(NULL, NULL), WEFT_ERR_ARG);
	fail_malloc_once(1);
	TAP_EQUAL(weft_info_create(NULL, &info), WEFT_ERR_NOMEM);
	fail_malloc_at(0);
	TAP_CHECK(!info);
	TAP_EQUAL(weft_info_create(NULL, &info), WEFT_OK);
	TAP_EQUAL(weft_info_set(info, "", "x"), WEFT_ERR_ARG);
	TAP_EQUAL(weft_info_set(info, NULL, "x"), WEFT_ERR_ARG);
	TAP_EQUAL(weft_info_delete(info, "none"), WEFT_ERR_ARG);
	fail_malloc_once(2);
	TAP_EQUAL(weft_info_set(info, "a", "b"), WEFT_ERR_NOMEM);
	fail_malloc_at(0);
	TAP_EQUAL(weft_info_set(info, "a", "b"), WEFT_OK);
	fail_malloc_once(2);
	TAP_EQUAL(weft_info_dup(info, &dup), WEFT_ERR_NOMEM);
	fail_malloc_at(0);
	TAP_CHECK(!dup);
	TAP_EQUAL(weft_info_free(&info), WEFT_OK);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "groups", use_groups },
		{ "groups that are refused, and no memory", refuse_groups },
		{ "info objects", use_infos },
		{ "info objects that are refused, and no memory", refuse_infos }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
