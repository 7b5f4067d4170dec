/* SPDX-License-Identifier: BSD-3-Clause */
/* The pingpong of weft-bench. */
#include "pair.h"

static int make(size_t bytes, MPI_Datatype *type_p)
{
	*type_p = MPI_BYTE;
	return (int)bytes;
}

int main(int argc, char **argv)
{
	static const struct pair pair = { "pingpong", make, 1 };

	return pair_main(argc, argv, &pair);
}
