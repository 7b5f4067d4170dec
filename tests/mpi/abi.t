#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# mpi.h and libmpi_abi.so.1 are as the binary interface of MPI 5.0 says.
. "$(dirname "$0")/../tap.sh"

header=$top_srcdir/include/mpi.h
library=$top_builddir/.libs/libmpi_abi.so.1
cc=${CC:-cc}

source_of() {
	"$top_srcdir/tests/mpi/abi_source" "$top_srcdir/tests/data/mpi" \
		"$header" >"$work/abi.c"
}

tables() {
	check source_of
	check [ "$(grep -c '^_Static_assert' "$work/abi.c")" -gt 400 ]
	# a compiler with options, or behind ccache, is more words than one
	# shellcheck disable=SC2086
	expect_code 0 $cc -std=c11 -Wall -Wextra -Werror \
		-Wno-unused-variable -I"$top_srcdir/include" -fsyntax-only \
		"$work/abi.c"
	check [ "$(grep -c 'not in the table' "$work/abi.c")" = 0 ]
}

# exported LETTERS: names of the library whose kind in nm is one of these
exported() {
	nm -D --defined-only "$library" | grep " [$1] " | sed 's/.* //'
}

names() {
	local declared
	declared=$(grep -v '^typedef' "$header" |
		grep -oE '^\w[A-Za-z_ ]*[ *]MPI_\w+\(' |
		grep -oE 'MPI_\w+\(' | tr -d '(' | sort)
	exported W | grep '^MPI_' | sort >"$work/weak"
	exported T | sed -n 's/^PMPI_/MPI_/p' | sort >"$work/strong"
	check diff "$work/weak" - <<<"$declared"
	check diff "$work/strong" - <<<"$declared"
	# each is one function by two names, and nothing else is shown
	check [ "$(exported A-Za-z | grep -vcE '^P?MPI_')" = 0 ]
}

# Names that the interface leaves out are in headers of their own, but for those
# of objects that are not there.
older() {
	local headers table=$top_srcdir/tests/data/mpi/mpi-functions.txt
	headers=$(dirname "$header")
	sed -n '/^\[removed\]/,/^\[not-covered\]/p' "$table" |
		grep -oE '^MPI_\w+' | grep -vE '^MPI_(File|Win)_' | sort \
		>"$work/wanted"
	check [ "$(wc -l <"$work/wanted")" = 39 ]
	grep -hoE '^static inline .*[ *]MPI_\w+\(' "$headers/mpi_fortran.h" \
		"$headers/mpi_legacy.h" | grep -oE 'MPI_\w+\(' | tr -d '(' |
		sort >"$work/there"
	check diff "$work/wanted" "$work/there"
}

soname() {
	check [ "$(objdump -p "$library" | awk '/SONAME/ { print $2 }')" = \
		libmpi_abi.so.1 ]
}

tap_run "$#" "$@" tables names older soname
