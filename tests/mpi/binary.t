#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# A program that was linked with another library of MPI's binary interface runs
# over this one as it is; each function is found before the first call.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
libs=$(cd "$top_builddir/.libs" && pwd)
cc=${CC:-cc}
ulimit -c 0

# compiled WORD...: by the headers and with the library of another implementation
compiled() {
	# a compiler with options, or behind ccache, is more words than one
	# shellcheck disable=SC2086
	expect_code 0 $cc -std=gnu11 -I"$work" -I"$top_srcdir" "$@"
}

runs() {
	local program
	check "$top_srcdir/tests/mpi/abi_other" "$top_srcdir/tests/data/mpi" \
		"$work"
	compiled -shared -fPIC -Wl,-soname,libmpi_abi.so.1 \
		-o "$work/libmpi_abi.so.1" "$work/mpi_abi.c"
	ln -s libmpi_abi.so.1 "$work/libmpi_abi.so"
	for program in messages collectives sessions; do
		compiled -o "$work/$program" \
			"$top_srcdir/tests/mpi/$program.c" -L"$work" -lmpi_abi
		# each function of the other library aborts
		expect_code 134 env LD_LIBRARY_PATH="$work" "$work/$program"
		expect_code 0 timeout 120 env LD_BIND_NOW=1 \
			LD_LIBRARY_PATH="$libs" \
			"$weftrun" -n 3 "$work/$program"
		expect_lines 0 '^not ok'
		expect_line '^ok'
	done
}

tap_run "$#" "$@" runs
