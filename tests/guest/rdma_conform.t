#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The conformance suite over a real verbs device, in both encodings of lines,
# and what belongs to its first contact; and jobs and the suite over libfabric
# on it. Its queues are short, so that FI_UNIVERSE_SIZE has to say how few ranks
# there are.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/guest.sh"
in_a_guest "$@"

# suite NAME [CASE]: nothing fails, and not all is skipped for want of a device
suite() {
	expect_code 0 tests/run --timeout 100 "tests/transport/$1.t"
	expect_line "^ok [0-9]+ - ${2:-a count is not seen before the bytes}$"
}

in_the_ll_encoding() { suite verbs; }
in_the_plain_encoding() { suite verbs_plain; }
first_contact() { suite verbs_contact 'a key of another'; }

export FI_UNIVERSE_SIZE=8
over_libfabric() { suite ofi_verbs; }

# job SCRIPT CASE
job() {
	WEFT_TRANSPORT=ofi WEFT_OFI_PROVIDER=verbs \
		expect_code 0 "$tests/mp/$1" "$2"
}

jobs_over_libfabric() {
	job exchange.t 'four ranks'
	KILLS=2 job survivors.t 'each survivor hears'
}

# It says so, and what to do.
queues_too_short() {
	FI_UNIVERSE_SIZE=256 WEFT_TRANSPORT=ofi WEFT_OFI_PROVIDER=verbs \
		expect_code 1 examples/weft-cg --mesh 3,3,3
	expect_line 'fi_enable of provider verbs;ofi_rxm on .* failed: .*; if its queues are too short, set FI_UNIVERSE_SIZE, 256 by default, to the number of ranks$'
}

tap_run "$#" "$@" in_the_ll_encoding in_the_plain_encoding first_contact \
	over_libfabric jobs_over_libfabric queues_too_short
