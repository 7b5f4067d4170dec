#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# weft-topo: its options, files that it reads and refuses, figures that were
# worked out by hand, and pictures that show them.
. "$(dirname "$0")/../tap.sh"

topo=$top_builddir/tools/weft-topo/weft-topo

# file NAME LINE...
file() {
	local name=$1
	shift
	printf '%s\n' "$@" >"$work/$name"
}

# Four pairs that are apart where two ranks are on a node, and 1 - 2 beside them.
pairs() {
	file pairs.graph '% four pairs' '8 5 001' '5 10 2 1' '6 20 1 1' '7 30' \
		'8 40' '1 10' '2 20' '3 30' '4 40'
}

# The same as entries; of the matrix some are small, negative, or none.
pairs_of_a_matrix() {
	file lower.mtx '%%MatrixMarket matrix coordinate integer symmetric' \
		'8 8 6' '5 1 -10' '2 1 0' '6 2 20' '7 3 30' '4 4 99' '8 4 40'
	file all.mtx '%%MatrixMarket matrix coordinate real general' \
		'% both ways' '8 8 10' '1 5 9.6' '5 1 -1.04e1' '1 2 0.2' \
		'2 1 -1.3' '6 2 2e1' '2 6 20.4' '7 3 30' '3 7 -30' '8 4 40' \
		'4 8 39.5'
}

# figures TEXT OPTION...: the JSON has this text.
figures() {
	local text=$1
	shift
	expect_code 0 "$topo" --json "$@"
	expect_line "$text"
}

# refused CODE TEXT WORD...: one sentence, and this exit code.
refused() {
	local code=$1 text=$2
	shift 2
	expect_refusal "$code" "$text" "$topo" "$@"
}

# bad NAME TEXT LINE...: a file, and what is said of it.
bad() {
	local name=$1 text=$2
	shift 2
	file "$name" "$@"
	refused 1 ".*/$name: $text" "$work/$name"
}

options() {
	local list
	pairs
	refused 2 'no file'
	refused 2 'unexpected word x' "$work/pairs.graph" x
	refused 2 'unknown option --nodes' --nodes 3 "$work/pairs.graph"
	refused 2 'no value for --keep' "$work/pairs.graph" --keep
	refused 2 '--per-node 0: give a number' --per-node 0 "$work/pairs.graph"
	refused 2 '--method best: give greedy,' --method best "$work/pairs.graph"
	refused 2 '--metric min: give sum' --metric min "$work/pairs.graph"
	refused 2 '--refine -1: give' --refine -1 "$work/pairs.graph"
	refused 2 '--random x: give a number' --random x "$work/pairs.graph"
	for list in x 1- 3-2 '1,'; do
		refused 2 "--keep $list: give ranks like" --keep $list \
			"$work/pairs.graph"
	done
	refused 1 '--keep 8: give ranks below 8' --keep 8 "$work/pairs.graph"
	refused 2 '--method rcb needs --coords' --method rcb \
		"$work/pairs.graph"
	refused 2 '--coords needs --method rcb' --coords x "$work/pairs.graph"
	refused 1 '--output .*/none/x: No such file' --output "$work/none/x" \
		"$work/pairs.graph"
	refused 1 '--output /dev/full: No space' -o /dev/full \
		"$work/pairs.graph"
	expect_code 1 sh -c '"$@" >/dev/full' sh "$topo" "$work/pairs.graph"
	expect_line '^weft-topo: standard output: '
	expect_code 0 "$topo" --help
	expect_line '^usage: weft-topo '
	expect_code 0 "$topo" --version
	expect_line '^weft-topo [0-9]'
}

# Before, all pairs go between nodes: 200 of 202 both ways, 140 of each of the
# nodes with 3, 4 and 7, 8; after, 1 - 2 alone.
by_hand() {
	local before='"before":{"sum":200,"max":140,"messages":2}'
	local after='"after":{"sum":2,"max":2,"messages":1},"moved":[4-8],'
	local name
	pairs
	pairs_of_a_matrix
	for name in pairs.graph lower.mtx all.mtx; do
		figures "\"edges\":10,\"weight\":202,.*$before,$after" \
			--per-node 2 "$work/$name"
		figures "\"nodes\":4,.*$before,$after" --per-node 2 \
			--metric max --refine 2 "$work/$name"
	done
	figures "\"method\":\"none\".*$before,\"after\":.\"sum\":200,.*\"moved\":0.*no method" \
		--per-node 2 --method none "$work/pairs.graph"
	figures '"nodes":1,.*"kept":"nothing goes between nodes"' \
		"$work/pairs.graph"
	figures '"nodes":2,.*"after":{"sum":200,.*"moved":0,.*"kept":"the metric' \
		--per-node 2 --keep 0-7 --json "$work/pairs.graph" --per-node 4
	figures '"after":{"sum":2,.*"moved":[4-6],' --per-node 2 --keep 0,6-6 \
		"$work/pairs.graph"
	figures '"after":{"sum":2,.*"seconds":[0-9.]*,"instead":(null|"[^"]*Scotch[^"]*"),' \
		--per-node 2 --method scotch "$work/pairs.graph"
}

# Cut along x, then y, these lie together: 1, 5; 2, 6; 3, 7; 4, 8.
coordinates() {
	local line
	pairs
	file good.xyz '% x y z' '0 0 0' '0 5 0' '9 0 0' '9 5 0' '' '1 0 0' \
		'1 5 0' '8 0 0' '8 5 0'
	figures '"method":"rcb".*"after":{"sum":2,"max":2,"messages":1},"moved":[4-8],' \
		--per-node 2 --method rcb --coords "$work/good.xyz" --refine 0 \
		"$work/pairs.graph"
	figures '"after":{"sum":2,"max":2,' --random 5 \
		--per-node 2 --method rcb --coords "$work/good.xyz" --refine 0 \
		"$work/pairs.graph"
	for line in '1 2' '1 2 x' '1 2 inf'; do
		file bad.xyz '0 0 0' '1 1 1' "$line"
		refused 1 '.*/bad.xyz: line 3: not three finite numbers' \
			--method rcb --coords "$work/bad.xyz" \
			"$work/pairs.graph"
	done
	file bad.xyz '0 0 0 0'
	refused 1 '.*/bad.xyz: line 1: more than three' --method rcb \
		--coords "$work/bad.xyz" "$work/pairs.graph"
	file bad.xyz '0 0 0' '1 1 1'
	refused 1 '.*/bad.xyz: truncated: 2 of 8 ranks up to line 2' \
		--method rcb --coords "$work/bad.xyz" "$work/pairs.graph"
	file bad.xyz '0 0 0'{,,,,,,,} '2 2 2'
	refused 1 '.*/bad.xyz: line 9: something follows' \
		--method rcb --coords "$work/bad.xyz" "$work/pairs.graph"
	refused 1 '.*/none.xyz: No such file' --method rcb \
		--coords "$work/none.xyz" "$work/pairs.graph"
}

# Weights and sizes of vertices are read over; a vertex may be alone.
formats() {
	local name
	file plain.graph '3 1' '2' '1' ''
	file zeros.graph '3 1 000' '2' '1' ''
	file heavy.graph '3 1 010' '7 2' '7 1' '0'
	file both.graph '3 1 11' '7 2 1' '7 1 1' '0'
	file two.graph '3 1 011 2' '7 7 2 1' '7 7 1 1' '0 1'
	file sizes.graph '3 1 111 2' '4 7 7 2 1' '5 7 7 1 1' '6 0 1'
	file pattern.mtx '%%MatrixMarket matrix coordinate pattern symmetric' \
		'3 3 1' '2 1'
	for name in plain zeros heavy both two sizes; do
		figures '"ranks":3,.*"edges":2,"weight":2,.*"sum":2,"max":2,' \
			--per-node 1 "$work/$name.graph"
	done
	figures '"ranks":3,.*"edges":2,"weight":2,.*"sum":2,"max":2,' \
		--per-node 1 "$work/pattern.mtx"
}

bad_graphs() {
	bad a.graph 'line 1: not two integers' 'a b'
	bad a.graph 'line 1: a size is negative' '-1 0'
	bad a.graph 'line 2: the graph has no vertices' '%' '0 0'
	bad a.graph 'line 1: the format is not three digits' '2 1 2' '2' '1'
	bad a.graph 'line 1: the format is not three digits' '2 1 0001' '2' '1'
	bad a.graph 'line 1: behind the format' '2 1 001 1' '2 1' '1 1'
	bad a.graph 'line 1: behind the format' '2 1 011 0' '2 1' '1 1'
	bad a.graph 'line 1: behind the format' '2 1 011 1 1' '1 2 1' '1 1 1'
	bad a.graph 'truncated: 900 vertices .* behind line 1' '900 1' '2' '1'
	bad a.graph 'truncated: 2 of 3 vertices up to line 3' '3 1' '2' '1'
	bad a.graph 'line 4: something follows the 2 vertices' '2 1' '2' '1' '1'
	bad a.graph 'line 2: neighbour 3 out of range 1\.\.2' '2 1' '3' '1'
	bad a.graph 'line 3: neighbour 0 out of range 1\.\.2' '2 1' '2' '0'
	bad a.graph 'line 2: vertex 1 is its own neighbour' '2 1' '1' '1'
	bad a.graph 'line 3: a neighbour of vertex 2 is no int' '2 1' '2' '1 x'
	bad a.graph 'line 3: more neighbours than the 1' '3 1' '2' '1 3' '2'
	bad a.graph 'the header says 2 .* up to line 4 hold 2' '3 2' '2' '1' \
		'          '
	bad a.graph 'line 3: no weight from 1 to .* behind neighbour 1' \
		'2 1 1' '2 5' '1 -5'
	bad a.graph 'line 2: no weight from 1 to .* behind neighbour 2' \
		'2 1 1' '2 0' '1 0'
	bad a.graph 'line 3: no weight .* behind neighbour 1' '2 1 1' '2 5' '1'
	bad a.graph 'line 2: no weight .* behind neighbour 2' '2 1 1' '2 1.5' '1'
	bad a.graph 'line 2: vertex 1 lacks an integer' '2 1 10' '-1 2' '1 1'
	bad a.graph 'line 3: vertex 2 lacks an integer' '2 1 10' '1 2' ''
}

# The second line of a vertex is not that of its number.
edges_with_one_end() {
	bad a.graph 'line 4: vertex 2 names neighbour 3, which does not name it' \
		'4 2' '2' '%' '1 3' '4' ''
	bad a.graph 'line 3: vertex 2 names neighbour 1, which does not name it' \
		'3 1' '' '1 3' ''
	bad a.graph 'line 2: neighbour 2 is there twice' '3 2' '2 2' '1 3' ''
	bad a.graph 'line 2: the edge to 2 has the weight 5 here and 6 in line 4' \
		'2 1 1' '2 5' '%' '1 6'
}

bad_matrices() {
	local head='%%MatrixMarket matrix coordinate'
	bad a.mtx 'line 1 does not begin with %%MatrixMarket' '2 2 1' '1 1 1'
	bad a.mtx 'object vector: only matrix is read' \
		'%%MatrixMarket vector coordinate real general'
	bad a.mtx 'format array: only coordinate' \
		'%%MatrixMarket matrix array real general'
	bad a.mtx 'field complex: only real, integer or pattern is read' \
		"$head complex general" '1 1 1' '1 1 1 1'
	bad a.mtx 'symmetry hermitian: only symmetric or general' \
		"$head real hermitian"
	bad a.mtx 'the header names no symmetry' "$head real"
	bad a.mtx 'truncated: no line with the sizes up to line 2' \
		"$head real general" '% x'
	bad a.mtx 'line 2: not three integers' "$head real general" '2 2'
	bad a.mtx 'line 2: a size is negative' "$head real general" '2 2 -1'
	bad a.mtx 'line 3: not square: 2 rows, 3 columns' \
		"$head real general" '%' '2 3 1' '1 3 1'
	bad a.mtx 'line 2: the matrix has no rows' "$head real general" '0 0 0'
	bad a.mtx '5000000 ranks are more than' "$head real general" \
		'5000000 5000000 1' '1 2 1'
	bad a.mtx 'truncated: 50 entries do not fit .* behind line 2' \
		"$head pattern general" '9 9 50' '1 2'
	bad a.mtx 'truncated: 1 of 2 entries up to line 3' \
		"$head real general" '2 2 2' '1 2 1.00000000'
	bad a.mtx 'line 4: something follows the 1 entries' \
		"$head real general" '2 2 1' '1 2 1' 'x'
	bad a.mtx 'line 3: does not begin with two integers' \
		"$head pattern general" '2 2 1' '1 x'
	bad a.mtx 'line 3: index \(1, 3\) out of range 1\.\.2' \
		"$head pattern general" '2 2 1' '1 3'
	bad a.mtx 'line 3: entry \(1, 2\) is above the diagonal' \
		"$head pattern symmetric" '2 2 1' '1 2'
	bad a.mtx 'line 3: the value is not a finite number' \
		"$head real general" '2 2 1' '1 2 nan'
	bad a.mtx 'line 3: the value is not an integer' \
		"$head integer general" '2 2 1' '1 2 1.5'
	bad a.mtx 'line 3: more than an entry' "$head pattern general" '2 2 1' \
		'1 2 1'
	bad a.mtx 'entry \(1, 2\) is 1e\+300, and weights go up to 2\^53' \
		"$head real general" '2 2 1' '1 2 1e300'
}

no_files_at_all() {
	local kind
	for kind in mtx graph; do
		: >"$work/empty.$kind"
		refused 1 ".*/empty.$kind: the file is empty" \
			"$work/empty.$kind"
		mkdir "$work/room.$kind"
		refused 1 ".*/room.$kind: is a directory" "$work/room.$kind"
		mkfifo "$work/pipe.$kind"
		refused 1 ".*/pipe.$kind: is no regular file" \
			"$work/pipe.$kind"
		refused 1 ".*/none.$kind: No such file" "$work/none.$kind"
	done
	refused 1 '/dev/null: the name ends neither in .mtx nor in .graph' \
		/dev/null
}

# Each cell of the small case, before and after.
a_picture() {
	pairs
	mv "$work/pairs.graph" "$work/<&pairs.graph"
	expect_code 0 "$topo" --per-node 2 -o "$work/a.svg" \
		"$work/<&pairs.graph"
	check [ ! -s "$work/out" ]
	check grep -q '>weight between nodes: 200 of 202, 99.0 %<' "$work/a.svg"
	check grep -q '>weight between nodes: 2 of 202, 1.0 %<' "$work/a.svg"
	check grep -q '>weight of the node with most: 140<' "$work/a.svg"
	check grep -q '>ranks moved: [4-8] of 8<' "$work/a.svg"
	if ! command -v python3 >/dev/null; then
		skip 'no python3 to read XML'
		return
	fi
	check python3 - "$work/a.svg" <<-'END'
	import re, sys, xml.etree.ElementTree as tree
	svg = tree.parse(sys.argv[1]).getroot()
	name = "{http://www.w3.org/2000/svg}%s"
	assert svg.find(name % "title").text == "<&pairs.graph"
	assert svg.find(name % "desc").text
	assert not re.search("href|url|import", open(sys.argv[1]).read())
	def cells(group):
	    found = {}
	    for path in group:
	        for x, y, n in re.findall(r"M(\d+) (\d+)h(\d+)",
	                                  path.get("d")):
	            for i in range(int(n)):
	                cell = int(y), int(x) + i
	                assert cell not in found
	                found[cell] = path.get("fill")
	    return found
	groups = [cells(g) for g in svg.iter(name % "g")]
	before, map_before, after, map_after = groups
	ends = [(0, 4), (0, 1), (1, 5), (2, 6), (3, 7)]
	assert set(before) == {e for a, b in ends for e in ((a, b), (b, a))}
	assert len(after) == 10 and all((b, a) in after for a, b in after)
	assert sum(a // 2 != b // 2 for a, b in after) == 2
	dark = min(before.values())
	assert before[3, 7] == dark and list(before.values()).count(dark) == 2
	assert sorted(before.values()) == sorted(after.values())
	node = [map_before[0, i] for i in range(8)]
	assert len(map_before) == 8 and len(set(node)) == 4
	assert all(node[i] == node[i + 1] for i in range(0, 8, 2))
	node = [map_after[0, i] for i in range(8)]
	assert len(map_after) == 8 and len(set(node)) == 4
	assert all(node[i] == node[i + 4] for i in range(4))
	END
}

# picture FILE OPTION...: without its time.
picture() {
	local to=$1
	shift
	expect_code 0 "$topo" "$@" -o "$work/timed.svg"
	sed 's/<tspan class="time">[0-9.]* s/<tspan>/' "$work/timed.svg" \
		>"$work/$to"
}

# A ring whose neighbours are far apart in the file.
ring() {
	awk -v n=60 'BEGIN {
		print n, n
		for (i = 0; i < n; i++)
			print (i + 7) % n + 1, (i + n - 7) % n + 1
	}' >"$work/ring.graph"
}

two_runs() {
	ring
	picture a.svg --random 7 "$work/ring.graph"
	picture b.svg --random 7 "$work/ring.graph"
	check cmp "$work/a.svg" "$work/b.svg"
	picture b.svg --random 8 "$work/ring.graph"
	check [ -n "$(cmp "$work/a.svg" "$work/b.svg")" ]
	check grep -q 'numbers dealt out by seed 8<' "$work/b.svg"
	figures '"weight":120,"method":"greedy".*"before":{"sum":1[0-9]{2},.*"after":{"sum":[1-5][0-9],' \
		--random 7 "$work/ring.graph"
}

# A matrix of them would take ten milliards of cells.
a_hundred_thousand_ranks() {
	awk -v n=100000 -v k=10 'BEGIN {
		print "%%MatrixMarket matrix coordinate pattern symmetric"
		print n, n, n * k - k * (k + 1) / 2
		for (i = 2; i <= n; i++)
			for (j = 1; j <= k && j < i; j++)
				print i, i - j
	}' >"$work/band.mtx"
	figures '"ranks":100000,.*"edges":1999890,.*"after":{"sum":[0-9]+,' \
		--random 1 --per-node 64 --refine 1 "$work/band.mtx"
	expect_code 0 "$topo" --random 1 --method none -o "$work/band.svg" \
		"$work/band.mtx"
	check [ "$(wc -c <"$work/band.svg")" -lt 4000000 ]
	expect_code 0 grep -o 'in their order, one in [0-9]*' "$work/band.svg"
	expect_lines 2 'one in 7$'
}

tap_run "$#" "$@" options by_hand coordinates formats bad_graphs \
	edges_with_one_end bad_matrices no_files_at_all a_picture two_runs \
	a_hundred_thousand_ranks
