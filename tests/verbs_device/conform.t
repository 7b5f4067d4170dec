#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The conformance suite on the test device, in both encodings of lines, and
# what belongs to its first contact.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"

# suite NAME DESCRIPTION: nothing fails, and what is skipped is what no RDMA
# device does. What the suite asks for to be refused are 14 ranges and a key.
suite() {
	has_device || return 0
	local provoked=${4:-15}
	on_device "$2" expect_code 0 "$top_builddir/tests/run" --timeout 100 \
		"$top_builddir/tests/transport/$1.t" || return 1
	expect_lines "${3:-7}" '# SKIP '
}

in_the_ll_encoding() { suite verbs ''; }
in_the_plain_encoding() { suite verbs_plain ''; }
over_ethernet() { suite verbs 'port link=eth'; }
in_queues_of_their_own() { suite verbs 'device max_srq=0'; }
late() { suite verbs_plain "$a_little_late"; }
first_contact() { suite verbs_contact 'port link=eth' 0 0; }
first_contact_late() {
	suite verbs_contact "port link=eth;$late_and_lost" 0 0
}
# Which describes its own devices.
callers() { suite verbs_callers '' 0 0; }
credits() { suite verbs_credits 'adverse unready=1' 0 0; }
credits_of_their_own() {
	suite verbs_credits 'adverse unready=1;device max_srq=0' 0 0
}
credits_late() { suite verbs_credits "adverse unready=1;$a_little_late" 0 0; }

tap_run "$#" "$@" in_the_ll_encoding in_the_plain_encoding over_ethernet \
	in_queues_of_their_own late first_contact first_contact_late callers \
	credits credits_late credits_of_their_own
