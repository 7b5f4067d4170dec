# SPDX-License-Identifier: BSD-3-Clause
#
# The tables of MPI's binary interface, as tests/data/mpi has them.
package abi_tables;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(rows);

# Rows of a table of a file, by the names of its columns.
sub rows {
	my ($file, $table) = @_;
	my ($in, @columns, @rows);

	open(my $text, '<', $file) or die "$0: $file: $!\n";
	while (<$text>) {
		chomp;
		next if /^#/ || !/\S/;
		if (/^\[(.*)\]$/) { $in = $1 eq $table; @columns = (); next }
		next unless $in;
		my @cells = split /\t/;
		if (!@columns) { @columns = @cells; next }
		my %row;
		@row{@columns} = @cells;
		push @rows, \%row;
	}
	return @rows;
}

1;
