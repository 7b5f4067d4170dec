#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The conformance suite over a real verbs device, in both encodings of lines.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/guest.sh"
in_a_guest "$@"

# suite NAME: nothing fails, and not all is skipped for want of a device
suite() {
	expect_code 0 tests/run --timeout 100 "tests/transport/$1.t"
	expect_line '^ok [0-9]+ - a count is not seen before the bytes$'
}

in_the_ll_encoding() { suite verbs; }
in_the_plain_encoding() { suite verbs_plain; }

tap_run "$#" "$@" in_the_ll_encoding in_the_plain_encoding
