#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/mp/verbs.t on a real verbs device, where nothing of it may be skipped.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/guest.sh"
export EXCHANGES=${EXCHANGES:-160} GRAPHS=${GRAPHS:-16}
in_a_guest "$@"
CG_RANKS='2 5' without_skips "$tests/mp/verbs.t" "$@"
