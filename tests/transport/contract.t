#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The table tests/transport/contract names cases that there are, and all of the
# conformance suite.
. "$(dirname "$0")/../tap.sh"

table=$top_srcdir/tests/transport/contract
programs=$top_builddir/tests/transport

# names PROGRAM: its cases, one per line.
names() {
	"$programs/$1.t" -l | sed 's/^[0-9]* //'
}

listed() {
	sed -n 's/^\t//p' "$table"
}

cases_are_there() {
	local line program
	names sim >"$work/suite"
	while read -r line; do
		program=
		[[ $line =~ ^((shm|ofi)_[a-z]+):\ (.*)$ ]] &&
			program=${BASH_REMATCH[1]} line=${BASH_REMATCH[3]}
		if [ -z "$program" ]; then
			check grep -qxF -e "$line" "$work/suite"
		elif [ -x "$programs/$program.t" ]; then
			names "$program" >"$work/other"
			check grep -qxF -e "$line" "$work/other"
		fi
	done < <(listed)
}

none_is_missing() {
	listed >"$work/listed"
	while read -r line; do
		check grep -qxF -e "$line" "$work/listed"
	done < <(names sim)
}

tap_run "$#" "$@" cases_are_there none_is_missing
