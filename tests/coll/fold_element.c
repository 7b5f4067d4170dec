/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of neighbour reductions: see fold_element.h. */
#include "tests/coll/fold_element.h"

#include <stdbool.h>
#include <string.h>
#include "tests/drawn.h"

enum { LETTERS = 19 };

struct float_pair {
	float value;
	int index;
};

struct double_pair {
	double value;
	int index;
};

struct text {
	int8_t length;
	char letter[LETTERS];		/* 0 behind the last one; gap of 12 */
};

static const struct {
	size_t extent, width;
} sizes[FOLD_KINDS] = {
	[FOLD_INT] = { 4, 4 },
	[FOLD_DOUBLE] = { 8, 8 },
	[FOLD_MINLOC] = { 8, 8 },
	[FOLD_MAXLOC] = { 16, 12 },
	[FOLD_MIX] = { 8, 8 },
	[FOLD_TEXT] = { FOLD_WIDEST, 1 + LETTERS },
	[FOLD_UNIT] = { 4, 4 }
};

size_t fold_extent(enum fold_kind kind)
{
	return sizes[kind].extent;
}

size_t fold_width(enum fold_kind kind)
{
	return sizes[kind].width;
}

/* ---- operations of the program: b = a op b ---- */

static void mix(const void *in, void *inout, size_t n,
		const struct weft_type *type, void *arg)
{
	const uint64_t *a = in;
	uint64_t *b = inout;

	(void)type;
	(void)arg;
	for (size_t i = 0; i < n; i++)
		b[i] = 31 * a[i] + b[i];
}

static void join(const struct text *a, struct text *b)
{
	int most = LETTERS - b->length;
	int kept = a->length < most ? a->length : most;

	memmove(b->letter + kept, b->letter, (size_t)(LETTERS - kept));
	memcpy(b->letter, a->letter + a->length - kept, (size_t)kept);
	b->length = (int8_t)(b->length + kept);
}

static void concatenate(const void *in, void *inout, size_t n,
			const struct weft_type *type, void *arg)
{
	(void)type;
	(void)arg;
	for (size_t i = 0; i < n; i++)
		join((const void *)((const char *)in + i * FOLD_WIDEST),
		     (void *)((char *)inout + i * FOLD_WIDEST));
}

/* Each has a share of the one behind it in its unit; a vector may end early. */
static void turn(const void *in, void *inout, size_t n,
		 const struct weft_type *type, void *arg)
{
	const uint32_t *a = in;
	uint32_t *b = inout, old[FOLD_UNIT_SIZE];

	(void)type;
	(void)arg;
	for (size_t i = 0; i < n; i += FOLD_UNIT_SIZE) {
		size_t left = n - i;
		size_t some = left < FOLD_UNIT_SIZE ? left : FOLD_UNIT_SIZE;

		memcpy(old, b + i, some * sizeof(*b));
		for (size_t k = 0; k < some; k++)
			b[i + k] = 7 * a[i + k] + old[(k + 1) % some];
	}
}

static weft_op_function *const functions[FOLD_KINDS] = {
	[FOLD_MIX] = mix, [FOLD_TEXT] = concatenate, [FOLD_UNIT] = turn
};

int fold_op_make(struct weft_job *job, enum fold_kind kind,
		 struct weft_op **op_p)
{
	struct weft_op_options options;

	*op_p = NULL;
	if (!functions[kind])
		return WEFT_OK;
	weft_op_options_init(&options, sizeof(options));
	options.call = functions[kind];
	options.unit = kind == FOLD_UNIT ? FOLD_UNIT_SIZE : 1;
	return weft_op_create(job, &options, op_p);
}

/* ---- types ---- */

static int make_text(struct fold_elements *of)
{
	static const size_t count[] = { 1, LETTERS };
	static const ptrdiff_t at[] = {
		offsetof(struct text, length), offsetof(struct text, letter)
	};
	const struct weft_type *types[] = { &weft_type_int8, &weft_type_char };
	struct weft_type *letters = NULL;
	int status = weft_type_struct(of->job, 2, count, at, types, &letters);

	if (!status)
		status = weft_type_resized(of->job, letters, 0, FOLD_WIDEST,
					   &of->text);
	if (!status)
		status = weft_type_commit(of->text);
	if (!status)
		status = weft_type_free(&letters);
	of->type[FOLD_TEXT] = of->text;
	return status;
}

int fold_elements_make(struct fold_elements *of, struct weft_job *job)
{
	int status;

	*of = (struct fold_elements){
		.job = job,
		.type = { &weft_type_int32, &weft_type_double,
			  &weft_type_float_int, &weft_type_double_int,
			  &weft_type_uint64, NULL, &weft_type_uint32 },
		.op = { &weft_op_sum, &weft_op_sum, &weft_op_minloc,
			&weft_op_maxloc }
	};
	status = make_text(of);
	for (int kind = FOLD_MIX; !status && kind < FOLD_KINDS; kind++) {
		struct weft_op *made;

		status = fold_op_make(job, (enum fold_kind)kind, &made);
		of->op[kind] = made;
	}
	return status;
}

int fold_elements_free(struct fold_elements *of)
{
	int status = weft_type_free(&of->text);

	for (int kind = FOLD_MIX; !status && kind < FOLD_KINDS; kind++) {
		struct weft_op *op = (struct weft_op *)of->op[kind];

		status = weft_op_free(&op);
	}
	return status;
}

/* ---- values ---- */

static void give_text(uint64_t number, struct text *to)
{
	to->length = (int8_t)(number % 4);
	memset(to->letter, 0, LETTERS);
	for (int i = 0; i < to->length; i++)
		to->letter[i] = (char)('a' + (number >> (8 + 5 * i)) % 26);
}

/* Magnitudes differ, so that each order of a sum rounds in another way. */
static double real(uint64_t number)
{
	double scale = (double)(UINT64_C(1) << (number >> 32) % 60);

	return ((double)(number % 2001) - 1000) * scale;
}

void fold_give(enum fold_kind kind, uint64_t number, void *to)
{
	uint64_t x = drawn_mix(number, (uint64_t)kind, 77);

	switch (kind) {
	case FOLD_INT:
	case FOLD_UNIT:
		*(uint32_t *)to = (uint32_t)(x >> 16);
		break;
	case FOLD_DOUBLE:
		*(double *)to = real(x);
		break;
	case FOLD_MINLOC:
		((struct float_pair *)to)->value = (float)(x % 5);
		((struct float_pair *)to)->index = (int)(x >> 40);
		break;
	case FOLD_MAXLOC:
		((struct double_pair *)to)->value = (double)(x % 5);
		((struct double_pair *)to)->index = (int)(x >> 40);
		break;
	case FOLD_TEXT:
		give_text(x, to);
		break;
	case FOLD_MIX:
	case FOLD_KINDS:
		*(uint64_t *)to = x;
	}
}

/* What has a gap has it behind all bytes that have a meaning. */
void fold_give_packed(enum fold_kind kind, uint64_t number, void *to)
{
	_Alignas(16) char element[FOLD_WIDEST];

	fold_give(kind, number, element);
	memcpy(to, element, fold_width(kind));
}

/* ---- the serial loop ---- */

static void serial_float(struct float_pair *a, const struct float_pair *b)
{
	if (b->value < a->value ||
	    (b->value == a->value && b->index < a->index))
		*a = *b;
}

static void serial_double(struct double_pair *a, const struct double_pair *b)
{
	bool takes = b->value > a->value ||
		     (b->value == a->value && b->index < a->index);

	if (takes) {
		a->value = b->value;
		a->index = b->index;
	}
}

static void serial_one(enum fold_kind kind, void *to, const void *from)
{
	struct text end;

	switch (kind) {
	case FOLD_INT:
		*(uint32_t *)to += *(const uint32_t *)from;
		break;
	case FOLD_DOUBLE:
		*(double *)to += *(const double *)from;
		break;
	case FOLD_MINLOC:
		serial_float(to, from);
		break;
	case FOLD_MAXLOC:
		serial_double(to, from);
		break;
	case FOLD_TEXT:
		end = *(const struct text *)from;
		join(to, &end);
		memcpy(to, &end, sizeof(end));
		break;
	case FOLD_MIX:
	case FOLD_UNIT:
	case FOLD_KINDS:
		*(uint64_t *)to = 31 * *(uint64_t *)to +
				  *(const uint64_t *)from;
	}
}

static void serial_unit(uint32_t *to, const uint32_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t first = i / FOLD_UNIT_SIZE * FOLD_UNIT_SIZE;
		size_t next = i + 1 < first + FOLD_UNIT_SIZE && i + 1 < n ?
			      i + 1 : first;

		to[i] = 7 * to[i] + from[next];
	}
}

void fold_serial(enum fold_kind kind, void *to, const void *from, size_t n)
{
	size_t extent = fold_extent(kind);

	if (kind == FOLD_UNIT) {
		serial_unit(to, from, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		serial_one(kind, (char *)to + i * extent,
			   (const char *)from + i * extent);
}
