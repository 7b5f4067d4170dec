#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/mp/verbs_ends.t on a real verbs device, where nothing of it may be
# skipped.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/guest.sh"
in_a_guest "$@"
without_skips "$tests/mp/verbs_ends.t" "$@"
