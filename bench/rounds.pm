# SPDX-License-Identifier: BSD-3-Clause
#
# What bench/compare and bench/limits share: rounds that are measured by turns,
# of which only those count whose flag latencies agree.
package rounds;

use strict;
use warnings;
use Exporter 'import';
use JSON::PP;

our @EXPORT = qw(FLAG_LIMIT agreeing median output_of weft_bench);

use constant { FLAG_LIMIT => 0.1, NEAR => 1.3 };

sub output_of {
	my $pid = open my $pipe, '-|', @_ or die "$0: cannot start $_[0]\n";
	local $/;
	my $text = <$pipe>;

	close $pipe or die "$0: @_ has failed\n";
	return $text;
}

# What weft-bench says of a case, on so many ranks.
sub weft_bench {
	my ($build, $ranks, @words) = @_;

	return decode_json(output_of("$build/tools/weftrun/weftrun",
		'-n', $ranks, "$build/bench/weft-bench", @words, '--json'));
}

sub median {
	my @sorted = sort { $a <=> $b } @_;
	return @sorted ? ($sorted[$#sorted / 2] + $sorted[@sorted / 2]) / 2 :
		undef;
}

# The most rounds whose flags agree, from some flag on.
sub agreeing {
	my @rounds = @_;
	my @best;

	for my $least (map { @{$_->{flags}} } @rounds) {
		my @near = grep { !grep { $_ < $least || $_ > NEAR * $least }
			@{$_->{flags}} } @rounds;

		@best = @near if @near > @best;
	}
	return @best;
}

1;
