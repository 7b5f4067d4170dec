#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# What weftcc and weftcxx hand to a compiler, and where they look for the header
# and the library.
. "$(dirname "$0")/../tap.sh"

built=$top_builddir/tools/weftcc
# a compiler that prints its words
printf '#!/bin/sh\nprintf "%%s\\n" "$*"\n' >"$work/cc"
chmod +x "$work/cc"
export PATH=$work:$PATH WEFT_CC=cc WEFT_CXX='cc c++'

# from_bin FILE: its directory by that of programs
from_bin() {
	sed -n "s/.*directory_of $1 '\([^']*\)'.*/\1/p" "$built/weftcc"
}

# installed DIRECTORY: a tree with what is looked for
installed() {
	mkdir -p "$1/bin"
	cp "$built/weftcc" "$built/weftcxx" "$1/bin"
	mkdir -p "$1/bin/$(from_bin mpi.h)" \
		"$1/bin/$(from_bin libmpi_abi.so)"
	: >"$1/bin/$(from_bin mpi.h)/mpi.h"
	: >"$1/bin/$(from_bin libmpi_abi.so)/libmpi_abi.so"
	include=$(cd "$1/bin/$(from_bin mpi.h)" && pwd -P)
	lib=$(cd "$1/bin/$(from_bin libmpi_abi.so)" && pwd -P)
	compile=-I$include
	link="-L$lib -Wl,-rpath,$lib -lmpi_abi"
	PATH=$1/bin:$PATH
}

# hands WANTED PROGRAM WORD...
hands() {
	local wanted=$1
	shift
	expect_code 0 "$@"
	check [ "$(cat "$work/out")" = "$wanted" ]
}

only_what_is_linked_gets_the_library() {
	local words
	installed "$work/tree"
	for words in '-c a.c' '-c -o a.o a.c' '-E a.c' '-S a.c' '-M a.c' \
		'-MM a.c' '-fsyntax-only a.c' '-r -o a.o b.o' --version -v \
		'-dumpmachine' '-o a' '-I a'; do
		hands "$words $compile" weftcc $words
	done
	for words in a.c 'a.o -o a' '-MMD a.c' '-MD -MF -c a.c' '-O2 -' \
		'-Xlinker -E a.o' '-o -c a.o' -lm @a.words; do
		hands "$words $compile $link" weftcc $words
	done
}

words_stay_words() {
	installed "$work/a tree"
	WEFT_CC='printf <%s>' hands "<-c><-DA=\"b  c\"><><a.c><-I$include>" \
		weftcc -c '-DA="b  c"' '' a.c
	hands "cc -c '-DA=\"b'\''c\\n\"' '' '-I$include'" \
		weftcc -show -c "-DA=\"b'c\\n\"" ''
}

what_it_would_do_is_shown() {
	installed "$work/tree"
	hands "cc $compile $link" weftcc -show
	hands "cc c++ $compile $link" weftcxx -showme
	hands "cc a.c $compile $link" weftcc -show a.c
	hands "cc -c a.c $compile" weftcc -c -show a.c
	hands "$compile" weftcc -showme:compile
	hands "$link" weftcc -showme:link
	hands "cc -c $compile" weftcc -compile-info
	hands "cc $link" weftcc -link-info
}

the_compiler_is_chosen() {
	installed "$work/tree"
	hands "c++ -c a.cc $compile" weftcxx -c a.cc
	expect_code 0 env -u WEFT_CC weftcc -show -c
	check [ "$(cat "$work/out")" != " -c $compile" ]
	expect_line '^[^-].* -c '
	expect_code 127 env WEFT_CC=no-such-compiler weftcc -c a.c
	expect_line 'no-such-compiler'
}

it_is_found_from_where_it_lies() {
	installed "$work/tree"
	mkdir "$work/bin"
	ln -s ../tree/bin/weftcc "$work/bin/mpicc"
	hands "a.c $compile $link" "$work/bin/mpicc" a.c
	mv "$work/tree" "$work/moved"
	hands "a.c ${compile/tree/moved} ${link//tree/moved}" \
		"$work/moved/bin/weftcc" a.c
	# else where configure has been told that it will be
	expect_code 0 "$built/weftcc" a.c
	check [ "$(grep -c "$work" "$work/out")" = 0 ]
	expect_line '^a\.c -I/[^ ]+ -L/[^ ]+ -Wl,-rpath,/[^ ]+ -lmpi_abi$'
}

tap_run "$#" "$@" only_what_is_linked_gets_the_library words_stay_words \
	what_it_would_do_is_shown the_compiler_is_chosen \
	it_is_found_from_where_it_lies
