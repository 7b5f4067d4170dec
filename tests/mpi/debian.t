#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs of others, unchanged, from Debian's source packages: they build with
# weftcc and find their results right.  Not of make check, as it fetches them; for
# hpcc there has to be libblas-dev.
. "$(dirname "$0")/../tap.sh"

recipe=$(cd "$(dirname "$0")" && pwd)/hpcc.make

quietly() {
	"$@" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; return 1; }
}

# unpacked PACKAGE: its source below $work
unpacked() (
	release=$(. /etc/os-release; echo "$VERSION_CODENAME")
	mkdir -p "$work"/{lists,cache/archives}/partial "$work/$1"
	cd "$work/$1" || exit
	echo "deb-src http://deb.debian.org/debian $release main" \
		>"$work/sources.list"
	apt="apt-get -q -o Dir::Etc::sourcelist=$work/sources.list
		-o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=$(id -un)
		-o Dir::State::lists=$work/lists -o Dir::Cache=$work/cache"
	# shellcheck disable=SC2086
	quietly $apt update && quietly $apt source --download-only --tar-only \
		"$1" && tar --strip-components=1 -xf "$1"_*.orig.tar.*
)

# Install weft below $work, and put its programs into PATH.
tools() {
	[ -d "$work/root" ] || check quietly make -C "$top_builddir" install \
		DESTDIR="$work/root"
	PATH=$(dirname "$(find "$work/root" -name weftcc -type f)"):$PATH
}

netpipe() {
	tools
	check unpacked netpipe || return
	cd "$work/netpipe" || return
	expect_code 0 make mpi MPICC=weftcc
	expect_code 0 timeout 300 weftrun -n 2 ./NPmpi -i -u 1048576 -o np.out
	expect_lines 36 'Integrity check passed'
}

hpcc() {
	tools
	check unpacked hpcc || return
	cd "$work/hpcc" || return
	cp "$recipe" hpl/Make.weft
	expect_code 0 make arch=weft
	cp _hpccinf.txt hpccinf.txt
	expect_code 0 timeout 600 weftrun -n 4 ./hpcc
	cp hpccoutf.txt "$work/out"
	expect_line '^Success=1'
	expect_line '(^| )5 tests completed and passed residual checks'
	expect_line '(^| )1 tests completed and passed residual checks'
	expect_lines 4 'Found 0 errors in .* \(passed\)'
	expect_lines 0 'FAILED|[1-9][0-9]* tests completed and failed'
}

tap_run "$#" "$@" netpipe hpcc
