/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The strided messages of weft-bench: pieces of 64 bytes, 128 from each to the
 * next.
 */
#include "pair.h"

enum { PIECE = 64 };

static int make(size_t bytes, MPI_Datatype *type_p)
{
	MPI_Type_vector((int)(bytes / PIECE), PIECE, 2 * PIECE, MPI_BYTE,
			type_p);
	MPI_Type_commit(type_p);
	return 1;
}

int main(int argc, char **argv)
{
	static const struct pair pair = { "strided", make, 2 };

	return pair_main(argc, argv, &pair);
}
