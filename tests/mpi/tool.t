#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# A tool takes the place of functions by the names MPI_x and calls PMPI_x: in
# front of a program that knows nothing of it, or linked with it.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
libs=$top_builddir/.libs
cc=${CC:-cc}

# built FLAG...: with the library of this build
built() {
	# a compiler with options, or behind ccache, is more words than one
	# shellcheck disable=SC2086
	expect_code 0 $cc -std=c11 -Wall -Wextra -Werror \
		-I"$top_srcdir/include" "$@" -L"$libs" -lmpi_abi \
		-Wl,-rpath,"$(cd "$libs" && pwd)" \
		-Wl,-rpath-link,"$(cd "$libs" && pwd)"
}

counted() {
	expect_lines 2 '^sum 1$'
	expect_lines 2 \
		'^tool [01]: 3 sends of 12 bytes, 2 allreduces, 1 dups$'
}

preloaded() {
	built -shared -fPIC -o "$work/tool.so" "$top_srcdir/tests/mpi/tool.c"
	built -o "$work/program" "$top_srcdir/tests/mpi/tooled.c"
	expect_code 0 timeout 60 "$weftrun" -n 2 "$work/program"
	expect_lines 2 '^sum 1$'
	expect_lines 0 '^tool'
	expect_code 0 timeout 60 "$weftrun" -n 2 \
		env LD_PRELOAD="$work/tool.so" "$work/program"
	counted
}

linked() {
	built -o "$work/with" "$top_srcdir/tests/mpi/tooled.c" \
		"$top_srcdir/tests/mpi/tool.c"
	expect_code 0 timeout 60 env LD_BIND_NOW=1 "$weftrun" -n 2 "$work/with"
	counted
}

tap_run "$#" "$@" preloaded linked
