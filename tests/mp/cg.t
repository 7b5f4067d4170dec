#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# weft-cg as its user runs it: meshes and the real matrices with the serial
# check on any number of ranks, the same bits in two runs, and bad files, which
# get one sentence from one rank and end the job with 1. CG_RANKS are other
# numbers of ranks than the usual ones, where everything is slow.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
cg=$top_builddir/examples/weft-cg
data=${WEFT_TEST_DATA:-$top_srcdir/../shared/data}

# solve RANKS ARGUMENT...: with the serial check; its bounds are the exit code
solve() {
	local ranks=$1
	shift
	expect_code 0 "$run" -n "$ranks" --timeout 60 "$cg" --serial-check "$@"
}

field() {
	sed -n "s/^$1  *//p" "$work/out"
}

meshes() {
	local ranks
	for ranks in ${CG_RANKS:-1 2 3 4 5 8 9 16}; do
		solve "$ranks" --mesh 9,8,7
		expect_line '^rows .* 504 in all$'
		expect_line '^same bits on one rank ok$'
	done
}

# On one node all stay, and say why.
one_node() {
	solve 4 --mesh 9,8,7
	local sum
	sum=$(field 'solution checksum')
	solve 4 --mesh 9,8,7 --reorder greedy
	expect_line '^reorder .* 0 ranks moved, .*; nothing goes between nodes$'
	check [ "$(field 'solution checksum')" = "$sum" ]
}

# More ranks than rows, rows without neighbours, all to all.
odd_meshes() {
	solve 4 --mesh 1,1,1
	solve 4 --mesh 3,1,1
	solve 4 --mesh 2,2,2
	solve 3 --mesh 1,1,50
	solve 4 --mesh 40,40,40
	expect_line '^edges on one host  *shm: 6 edges, 78112 bytes'
}

# file NAME ITERATIONS SPAN: the iterations on P ranks are within the span
file() {
	local name=$1 serial=$2 span=$3 ranks first have
	if [ ! -r "$data/$name" ]; then
		skip "$data/$name is not there; set WEFT_TEST_DATA"
		return
	fi
	for ranks in ${CG_RANKS:-1 2 3 4 7 16}; do
		solve "$ranks" "$data/$name" || return
		first=$(field 'solution checksum')
		have=$(field iterations)
		check [ "$have" -ge $((serial - span)) ]
		check [ "$have" -le $((serial + span)) ]
		expect_line "^serial iterations  *$serial,"
		expect_code 0 "$run" -n "$ranks" --timeout 60 "$cg" \
			"$data/$name"
		check [ "$(field 'solution checksum')" = "$first" ]
	done
}

bcsstk16() {
	file bcsstk16.mtx 213 1
}

bcsstk13() {
	file bcsstk13.mtx 1513 60
}

airfoil() {
	file 4elt.graph 27 0
}

head='%%MatrixMarket matrix coordinate real symmetric'

# refused PATTERN ARGUMENT...: code 1 and one sentence, from one rank
refused() {
	local pattern=$1
	shift
	expect_code 1 "$run" -n 4 --timeout 30 "$cg" "$@"
	expect_line "^weft-cg: .*$pattern"
	check [ "$(grep -c '^weft-cg: ' "$work/out")" = 1 ]
}

# with NAME PATTERN LINE...: the file of these lines is refused
with() {
	local name=$1 pattern=$2
	shift 2
	printf '%s\n' "$@" >"$work/$name"
	refused "$pattern" "$work/$name"
}

bad_files() {
	with a.mtx 'not square' "$head" '2 3 2' '1 1 1' '2 2 1'
	with a.mtx 'negative' "$head" '-2 -2 2' '1 1 1' '2 2 1'
	with a.mtx 'truncated' "$head" '2 2 5' '1 1 1' '2 2 1'
	with a.mtx 'line 3: the value' "$head" '2 2 2' '1 1 nan' '2 2 1'
	with a.mtx 'out of range' "$head" '2 2 2' '1 1 1' '3 2 1'
	with a.mtx 'something follows' "$head" '1 1 1' '1 1 1' 'junk'
	with a.graph 'not symmetric' '3 2' '2 3' '1' '2'
	: >"$work/empty.mtx"
	refused 'empty' "$work/empty.mtx"
	mkdir "$work/folder.mtx"
	refused 'is a directory' "$work/folder.mtx"
	mkfifo "$work/pipe.mtx"
	refused 'no regular file' "$work/pipe.mtx"
	refused 'No such file' "$work/missing.mtx"
	refused 'neither in .mtx' /dev/null
}

bad_words() {
	refused 'NX,NY,NZ' --mesh 1,2
	refused 'give --mesh or a file'
	refused 'unknown option' --nonsense
	refused '--reorder best: give greedy' --reorder best --mesh 9,8,7
	refused 'no convergence in 3' --maxit 3 --mesh 9,8,7
}

json() {
	expect_code 0 "$run" -n 3 "$cg" --serial-check --json --mesh 9,8,7
	expect_line '"rows": 504,'
	expect_line '"same_bits": true'
	check [ "$(grep -c bytes_per_exchange "$work/out")" = 4 ]
}

# The progress goes to a terminal only, and is gone at the end.
progress() {
	expect_code 0 "$cg" --mesh 60,60,60
	check [ "$(grep -c 'iteration [0-9]*, residual' "$work/out")" = 0 ]
	if ! command -v script >/dev/null; then
		skip 'script is not there; Debian package: bsdutils'
		return
	fi
	expect_code 0 script -qec "$cg --mesh 60,60,60" /dev/null
	expect_line 'iteration [0-9]+, residual [0-9.e-]+ '
	expect_line '^iterations  *[0-9]+'
}

help_and_version() {
	expect_code 0 "$cg" --help
	expect_line '^usage: weft-cg'
	expect_code 0 "$cg" --version
	expect_line '^weft-cg [0-9]'
}

# The pids of the ranks of the job that has $mark on its command line.
ranks_of_job() {
	local pid
	for pid in $(pgrep -f -- "--maxit $mark"); do
		case $(readlink "/proc/$pid/exe") in
		*weft-cg) echo "$pid" ;;
		esac
	done
}

# A rank that has computed for more than half a second is solving.
find_victim() {
	local pid ticks
	for pid in $(ranks_of_job); do
		ticks=$(cut -d' ' -f14 "/proc/$pid/stat" 2>/dev/null) || continue
		[ "$ticks" -gt 50 ] && victim=$pid && return
	done
	return 1
}

# Every survivor says which rank is dead, and leaves.
dead_rank() {
	local mark=9$$ victim= job rank code=0 began
	"$top_builddir/tools/weftrun/weftrun" --keep-going -n 4 "$cg" \
		--mesh 60,60,60 --tol 1e-300 --maxit "$mark" \
		>"$work/out" 2>&1 &
	job=$!
	wait_until 60 find_victim || return
	kill -9 "$victim"
	began=$SECONDS
	wait "$job" || code=$?
	check [ $((SECONDS - began)) -le 10 ]
	check [ "$code" = 137 ]
	check [ -z "$(ranks_of_job)" ]
	rank=$(sed -n "s/^weftrun: rank \([0-9]\) (pid $victim) .*/\1/p" \
		"$work/out")
	check [ -n "$rank" ]
	check [ "$(grep -c "^weft-cg: rank [0-3]: .*: rank $rank on host" \
		"$work/out")" = 3 ]
}

tap_run "$#" "$@" meshes odd_meshes one_node bcsstk16 bcsstk13 airfoil bad_files \
	bad_words json dead_rank progress help_and_version
