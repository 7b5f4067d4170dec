#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# One device: a thousand queue pairs, memory in huge pages, too little memory.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/guest.sh"
in_a_guest "$@"
export WEFT_TRANSPORT=verbs

many_ranks() {
	expect_code 0 "$tests/pmi_launch" -d 32 rxe0 -- tests/guest/everyone \
		'rdma resource'
	expect_line '^32 ranks, each with each$'
	expect_line ' qp 1[0-9]{3} '
}

huge_pages() {
	echo 40 >/proc/sys/vm/nr_hugepages
	expect_code 0 tests/unit/segment.t 'huge pages, as many as there are'
	expect_line '^ok 1 - huge pages, as many as there are$'
	expect_code 0 env WEFT_HUGE_PAGES=y tests/run -n 3 --timeout 100 \
		tests/mp/exchange_rank 1 40 20
	expect_line '^seed 1: .* 0 failures'
	expect_code 1 env WEFT_HUGE_PAGES=y WEFT_ARENA=1g tests/run -n 2 \
		--timeout 100 tests/mp/exchange_rank 1 1 20
	expect_line 'number of huge pages .sysctl vm.nr_hugepages.'
}

# Refused at once, with what to do about it; root may lock what it likes.
little_memory() {
	chmod 666 /dev/infiniband/*
	expect_code 1 bash -c 'ulimit -l 64 && exec setpriv --reuid 65534 \
		--regid 65534 --clear-groups examples/weft-cg --mesh 9,8,7'
	expect_line 'may lock 64 KiB: raise the limit .*ulimit -l unlimited'
}

tap_run "$#" "$@" many_ranks huge_pages little_memory
