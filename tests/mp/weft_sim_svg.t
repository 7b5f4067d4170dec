#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# weft-sim --svg: what is drawn is what the table says, whatever was asked for;
# and what docs/virtual-time.md and its chart say is what comes out.
. "$(dirname "$0")/../tap.sh"

sim=$top_builddir/tools/weft-sim/weft-sim
docs=$top_srcdir/docs

# draws LINES POINTS WORD...: into $work/chart.svg; so many lines, of so many
# points each, none of them outside of the paper.
draws() {
	local lines=$1 points=$2
	shift 2
	expect_code 0 "$sim" --table --svg "$work/chart.svg" "$@"
	check [ "$(grep -c '<polyline' "$work/chart.svg")" = "$lines" ]
	check [ "$(grep -c '<title>' "$work/chart.svg")" = $((lines * points)) ]
	if ! command -v python3 >/dev/null; then
		skip 'no python3 to read XML'
		return
	fi
	check python3 - "$work/chart.svg" <<-'END'
	import sys, xml.etree.ElementTree as tree
	svg = tree.parse(sys.argv[1]).getroot()
	name = "{http://www.w3.org/2000/svg}%s"
	assert svg.tag == name % "svg"
	width, height = map(int, svg.get("viewBox").split()[2:])
	marks = list(svg.iter(name % "circle"))
	assert all(0 < float(m.get("cx")) < width for m in marks)
	assert all(0 < float(m.get("cy")) < height for m in marks)
	for line in svg.iter(name % "polyline"):
	    x = [float(at.split(",")[0]) for at in line.get("points").split()]
	    assert x == sorted(x)
	END
}

has() {
	check grep -q "$1" "$work/chart.svg"
}

lines_and_points() {
	draws 2 4 --net hdr200 --algorithm radix:8,radix:2 -n 64,2,8,4 allreduce
	has '>allreduce of 8 bytes</text>'
	has '>LogGP without congestion, hdr200, flat, 1 rank per node</text>'
	has '<title>64 ranks: 2.712 &#181;s</title>'
	has '<title>64 ranks: 5.599 &#181;s</title>'
	has '>radix:2</text>'
	draws 3 2 --net shm -n 2,3 allreduce --bytes 8,1k,1000
	has '>allreduce by radix:8</text>'
	has '>1k bytes</text>'
	has '>1000 bytes</text>'
	draws 4 2 -n 2,3 allreduce --bytes 8,64k --algorithm radix:2,radix:4
	has '>radix:4, 64k bytes</text>'
	has '>random delays: times predict nothing</text>'
	draws 1 3 --net hdr200 -n 5 --bytes 1,100,1m exchange --graph random:2
	has '>exchange on random:2, 5 ranks</text>'
	has '<title>1048576 bytes: '
	draws 1 1 --net tcp10 -n 3 barrier
}

refused_or_failed() {
	expect_code 2 "$sim" --svg "$work/no.svg" barrier
	expect_line '^weft-sim: --svg needs --table, and one seed'
	expect_code 2 "$sim" --svg "$work/no.svg" --table -n 2,4 allreduce \
		--bytes 8,16,24,32,40,48,56,64,72
	expect_line '^weft-sim: --svg draws up to 8 lines'
	expect_code 1 "$sim" --svg "$work/none/no.svg" --table -n 2 barrier
	expect_line '^weft-sim: --svg .*/none/no.svg: No such file'
	expect_code 1 "$sim" --svg /dev/full --table -n 2 barrier
	expect_line '^weft-sim: --svg /dev/full: No space left'
	expect_code 1 "$sim" --svg "$work/no.svg" --table -n 4 --faults kill \
		barrier
	expect_line '^weft-sim: --svg .*: no run took time'
	check [ ! -e "$work/no.svg" ]
}

# The rows of the document up to 128 ranks, and the points of its chart.
documented() {
	local ranks eight messages8 two messages2 rows=0
	expect_code 0 "$sim" --net hdr200 --table \
		--algorithm radix:8,radix:2 -n 2,4,8,16,32,64,128 \
		--svg "$work/chart.svg" allreduce
	while read -r ranks eight messages8 two messages2; do
		[ "$ranks" -le 128 ] || continue
		expect_line "^ +$ranks .* $eight +$messages8.00 .* radix:8 "
		expect_line "^ +$ranks .* $two +$messages2.00 .* radix:2 "
		rows=$((rows + 1))
	done < <(sed -n 's/^| \([0-9]*\) | \(.*\) us | \(.*\) | \(.*\) us | \(.*\) |$/\1 \2 \3 \4 \5/p' \
		"$docs/virtual-time.md")
	check [ $rows = 7 ]
	grep -o '<title>.*</title>' "$work/chart.svg" | sort >"$work/points"
	grep -o '<title>.*</title>' "$docs/allreduce-time.svg" | sort \
		>"$work/drawn"
	check [ "$(wc -l <"$work/points")" = 14 ]
	check [ -z "$(comm -23 "$work/points" "$work/drawn")" ]
}

tap_run "$#" "$@" lines_and_points refused_or_failed documented
