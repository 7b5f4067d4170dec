#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# weft-sim --trace: what is in the file holds together, whatever the end of the
# run, and a run that is watched is the same run.
. "$(dirname "$0")/../tap.sh"

sim=$top_builddir/tools/weft-sim/weft-sim
trace=$work/trace.json

# Each rank has a track; each arrow one start and then one end, between the
# ranks that its slices name; calls nest and all end; what a CPU does, and what
# lands at a rank, each in the order of time.
cat >"$work/check.py" <<'END'
import json, sys
from decimal import Decimal

path, ranks, per_node = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
trace = json.load(open(path), parse_float=Decimal)
events = trace["traceEvents"]
node = lambda rank: rank // per_node
names = {e["tid"]: e["args"]["name"] for e in events
         if e["ph"] == "M" and e["name"] == "thread_name"}
assert names == {r: f"rank {r}" for r in range(ranks)}, names
nodes = {e["pid"]: e["args"]["name"] for e in events
         if e["ph"] == "M" and e["name"] == "process_name"}
assert nodes == {node(r): f"node {node(r)}" for r in range(ranks)}, nodes

cpu, landed, calls = {}, {}, {}
starts, ends = {}, {}
last = None

def advance(clock, rank, time, end=None):
    assert time >= clock.get(rank, 0), (rank, time, clock[rank])
    clock[rank] = time if end is None else end

for e in events:
    if e["ph"] == "M":
        continue
    rank, time = e["tid"], e["ts"]
    assert e["pid"] == node(rank) and time >= 0
    if e["ph"] in "BE":
        advance(cpu, rank, time)
        calls[rank] = calls.get(rank, 0) + (1 if e["ph"] == "B" else -1)
        assert calls[rank] >= 0
    elif e["ph"] == "X" and e["cat"] in ("landing", "lost"):
        advance(landed, rank, time)
        assert e["dur"] == 0
    elif e["ph"] == "X":
        assert e["cat"] in ("post", "cpu") and e["dur"] >= 0
        advance(cpu, rank, time, time + e["dur"])
    elif e["ph"] == "s":
        assert last["cat"] == "post" and last["tid"] == rank
        assert last["ts"] == time and e["id"] not in starts
        starts[e["id"]] = (rank, last["args"]["to"], time, last["name"])
    elif e["ph"] == "f":
        assert last["cat"] in ("landing", "lost") and last["tid"] == rank
        assert last["ts"] == time and e["id"] not in ends
        ends[e["id"]] = (last["args"]["from"], rank, time, last["name"])
    else:
        assert e["ph"] == "i", e
    last = e
assert starts and starts.keys() == ends.keys()
for i, (sender, target, time, name) in starts.items():
    assert ends[i][:2] == (sender, target) and ends[i][3] == name
    assert ends[i][2] >= time, (i, time, ends[i])
assert len(calls) == ranks and not any(calls.values()), calls
print("arrows", len(starts))
for e in events:
    print(e["ph"], e.get("cat"), e["name"] if "name" in e else "")
END

# traced RANKS PER_NODE CODE WORD...: what is in the file goes to $work/events.
traced() {
	local ranks=$1 per_node=$2 code=$3
	shift 3
	expect_code "$code" "$sim" -n "$ranks" --ppn "$per_node" \
		--trace "$trace" "$@"
	cp "$work/out" "$work/said"
	check python3 "$work/check.py" "$trace" "$ranks" "$per_node" \
		>"$work/events"
}

needs_python() {
	command -v python3 >/dev/null && return 0
	skip 'no python3 to read JSON'
	return 1
}

a_run_over_a_network() {
	needs_python || return 0
	traced 9 2 0 --net hdr200 --warmup 5 -i 5 allreduce --bytes 1k
	local messages
	messages=$(sed -n 's/^messages .* \([0-9]*\) in all$/\1/p' "$work/said")
	check grep -qx "arrows $messages" "$work/events"
	check grep -q '^B call allreduce 9' "$work/events"
	check grep -q '^B call open job' "$work/events"
	check grep -q '^X post put' "$work/events"
	check grep -q '^X cpu look' "$work/events"
	check [ "$(grep -c '^B call allreduce' "$work/events")" = 90 ]
}

faults_and_deaths() {
	needs_python || return 0
	local seed
	for seed in 1 2 3 4 5 6; do
		traced 9 3 0 --seed $seed --faults vary \
			exchange --graph random:3 --bytes 100
		traced 9 3 0 --seed $seed --faults vary,kill barrier
	done
	traced 4 4 0 --faults kill --seed 2 exchange --graph 27pt
	check grep -q '^i death dies' "$work/events"
	check grep -q '^X lost ' "$work/events"
}

# Forged credits end in wrong bytes, or in ranks that hang.
runs_that_fail() {
	needs_python || return 0
	local seed bytes words
	for bytes in 0 100; do
		words="--warmup 40 --faults vary,forge:2 --bytes $bytes"
		for ((seed = 1; seed <= 100; seed++)); do
			"$sim" --seed $seed $words exchange --graph edges:0-1 \
				>"$work/out" 2>&1 || break
		done
		check [ $seed -le 100 ]
		traced 2 2 1 --seed $seed $words exchange --graph edges:0-1
		check grep -q '^i failure at [0-9]* ns: ' "$work/events"
		check grep -q 'wrong bytes\|nothing happens' "$work/events"
	done
}

a_run_that_is_watched_is_the_same() {
	local hash
	for words in '--net hdr200 allreduce' '--faults vary,kill barrier' \
		'--seed 3 --faults held,switch exchange --graph 27pt'; do
		expect_code 0 "$sim" -n 12 $words
		hash=$(grep '^trace hash' "$work/out")
		expect_code 0 "$sim" -n 12 $words --trace "$trace"
		check [ "$(grep '^trace hash' "$work/out")" = "$hash" ]
		cp "$trace" "$work/before.json"
		expect_code 0 "$sim" -n 12 $words --trace "$trace"
		check cmp "$trace" "$work/before.json"
	done
}

names_are_escaped() {
	needs_python || return 0
	local file="$work/a \"b\\c"$'\t'"d.graph"
	printf '2 1\n2\n1\n' >"$file"
	expect_code 0 "$sim" exchange --graph "$file" --trace "$trace"
	check python3 - "$trace" "$file" <<-'END'
	import json, sys
	trace = json.load(open(sys.argv[1]))
	assert trace["otherData"]["graph"] == sys.argv[2]
	END
}

files_that_cannot_be_written() {
	expect_code 1 "$sim" barrier --trace "$work/none/trace.json"
	expect_line '^weft-sim: --trace .*/none/trace.json: No such file'
	expect_code 1 "$sim" barrier --trace /dev/full
	expect_line '^weft-sim: --trace /dev/full: No space left'
	expect_code 2 "$sim" --seeds 2 barrier --trace "$trace"
	expect_line '^weft-sim: --trace is of one run'
}

tap_run "$#" "$@" a_run_over_a_network faults_and_deaths \
	runs_that_fail a_run_that_is_watched_is_the_same names_are_escaped \
	files_that_cannot_be_written
