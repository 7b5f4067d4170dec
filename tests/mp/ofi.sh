# SPDX-License-Identifier: BSD-3-Clause
#
# For scripts whose jobs, on one node, leave shared memory out, so that all goes
# over libfabric: sourced behind tests/tap.sh.

here=$(cd "$(dirname "$0")" && pwd)
export WEFT_TRANSPORT=ofi

# again SCRIPT CASE: that case of another script holds over libfabric, too
again() {
	expect_code 0 "$here/$1" "${2//_/ }"
}
