#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Ranks on a kernel, or in a sandbox, that lacks system calls: what there is
# instead does the same, or a sentence says at the start what is missing.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
nocall=$top_builddir/tests/mp/nocall
member=$top_builddir/tests/mp/member
p2p_rank=$top_builddir/tests/mp/p2p_rank

# ranks NAMES PROGRAM...: three without these calls, as an old kernel has it, or
# as a sandbox does (1: EPERM)
ranks() {
	local names=$1
	shift
	expect_code "${code:-0}" timeout 60 "$weftrun" --keep-going -n 3 \
		"$nocall" "${errno:-38}" "$names" "$@"
}

# Long messages, into memory that nobody has told the library; waits that sleep;
# one that is killed while others wait for it.
all_works() {
	ranks "$1" "$member" bare
	ranks "$1" "$p2p_rank" ring
	code=137 errno=1 ranks "$1" "$p2p_rank" death
	check [ -z "$(grep '^#' "$work/out")" ]
}

without_pidfds() { all_works pidfd_open; }
without_cross_memory_writes() { WEFT_CMA=y all_works process_vm_writev; }
without_cross_memory_reads() { WEFT_CMA=y all_works process_vm_readv; }

without_memfds() { all_works memfd_create; }
without_barriers() { all_works membarrier; }

# a sentence says it, when the job is opened
without_marks_of_forks() {
	expect_code 2 "$nocall" 22 wipeonfork "$member" meet
	expect_line 'error: madvise\(MADV_WIPEONFORK\): Invalid argument'
}

"$nocall" 38 membarrier true 2>/dev/null
[ $? = 77 ] && { echo "1..0 # SKIP this kernel has no seccomp"; exit 0; }

tap_run "$#" "$@" without_pidfds without_cross_memory_writes \
	without_cross_memory_reads without_memfds without_barriers \
	without_marks_of_forks
