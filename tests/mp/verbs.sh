# SPDX-License-Identifier: BSD-3-Clause
#
# For scripts whose jobs leave shared memory out, so that all goes over an RDMA
# device: sourced behind tests/tap.sh.

here=$(cd "$(dirname "$0")" && pwd)
export WEFT_TRANSPORT=verbs

has_device() {
	local devices=(/sys/class/infiniband/*)
	[ -n "${VERBS_DEVICE-}" ] || [ -e "${devices[0]}" ] ||
		{ skip 'no RDMA device here; make check-rdma has one'; return 1; }
}

# again SCRIPT CASE: that case of another script holds over verbs, too
again() {
	has_device || return 0
	expect_code 0 "$here/$1" "${2//_/ }"
}
