/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The predefined datatypes: one constant for each name, by its handle, also
 * where several names have the same bytes, so that attributes, names and the
 * contents of what is made of them are those of that name.
 *
 * Those of Fortran have the sizes of its compilers' defaults.
 */
#include <complex.h>
#include <stdint.h>
#include <wchar.h>

#include "mpi/mpi_handle.h"
#include "type/type_basic.h"

#define BASIC(handle, name_, row, c) \
	[handle - WF_MPI_FIRST_TYPE] = WF_TYPE_BASIC(row, c, "MPI_" name_)
#define PAIR(handle, name_, row, tag) \
	[handle - WF_MPI_FIRST_TYPE] = WF_TYPE_PAIR(row, tag, "MPI_" name_)

WF_TYPE_PAIR_LAYOUT(float_int, float, int);
WF_TYPE_PAIR_LAYOUT(double_int, double, int);
WF_TYPE_PAIR_LAYOUT(long_int, long, int);
WF_TYPE_PAIR_LAYOUT(2int, int, int);
WF_TYPE_PAIR_LAYOUT(short_int, short, int);
WF_TYPE_PAIR_LAYOUT(long_double_int, long double, int);
WF_TYPE_PAIR_LAYOUT(2float, float, float);
WF_TYPE_PAIR_LAYOUT(2double, double, double);

const struct weft_type wf_mpi_types[WF_MPI_TYPES] = {
	BASIC(0x201, "AINT", INT64, MPI_Aint),
	BASIC(0x202, "COUNT", INT64, MPI_Count),
	BASIC(0x203, "OFFSET", INT64, MPI_Offset),
	BASIC(0x207, "PACKED", CHAR, char),
	BASIC(0x208, "SHORT", INT16, short),
	BASIC(0x209, "INT", INT32, int),
	BASIC(0x20a, "LONG", INT64, long),
	BASIC(0x20b, "LONG_LONG", INT64, long long),
	BASIC(0x20c, "UNSIGNED_SHORT", UINT16, unsigned short),
	BASIC(0x20d, "UNSIGNED", UINT32, unsigned),
	BASIC(0x20e, "UNSIGNED_LONG", UINT64, unsigned long),
	BASIC(0x20f, "UNSIGNED_LONG_LONG", UINT64, unsigned long long),
	BASIC(0x210, "FLOAT", FLOAT, float),
	BASIC(0x212, "C_FLOAT_COMPLEX", COMPLEX_FLOAT, float complex),
	BASIC(0x213, "CXX_FLOAT_COMPLEX", COMPLEX_FLOAT, float complex),
	BASIC(0x214, "DOUBLE", DOUBLE, double),
	BASIC(0x216, "C_DOUBLE_COMPLEX", COMPLEX_DOUBLE, double complex),
	BASIC(0x217, "CXX_DOUBLE_COMPLEX", COMPLEX_DOUBLE, double complex),
	BASIC(0x218, "LOGICAL", INT32, int32_t),
	BASIC(0x219, "INTEGER", INT32, int32_t),
	BASIC(0x21a, "REAL", FLOAT, float),
	BASIC(0x21b, "COMPLEX", COMPLEX_FLOAT, float complex),
	BASIC(0x21c, "DOUBLE_PRECISION", DOUBLE, double),
	BASIC(0x21d, "DOUBLE_COMPLEX", COMPLEX_DOUBLE, double complex),
	BASIC(0x21e, "CHARACTER", CHAR, char),
	BASIC(0x220, "LONG_DOUBLE", LONG_DOUBLE, long double),
	BASIC(0x224, "C_LONG_DOUBLE_COMPLEX", COMPLEX_LONG_DOUBLE,
	      long double complex),
	BASIC(0x225, "CXX_LONG_DOUBLE_COMPLEX", COMPLEX_LONG_DOUBLE,
	      long double complex),
	PAIR(0x228, "FLOAT_INT", FLOAT_INT, float_int),
	PAIR(0x229, "DOUBLE_INT", DOUBLE_INT, double_int),
	PAIR(0x22a, "LONG_INT", LONG_INT, long_int),
	PAIR(0x22b, "2INT", 2INT, 2int),
	PAIR(0x22c, "SHORT_INT", SHORT_INT, short_int),
	PAIR(0x22d, "LONG_DOUBLE_INT", LONG_DOUBLE_INT, long_double_int),
	PAIR(0x230, "2REAL", 2FLOAT, 2float),
	PAIR(0x231, "2DOUBLE_PRECISION", 2DOUBLE, 2double),
	PAIR(0x232, "2INTEGER", 2INT, 2int),
	BASIC(0x238, "C_BOOL", BOOL, _Bool),
	BASIC(0x239, "CXX_BOOL", BOOL, _Bool),
	BASIC(0x23c, "WCHAR", WCHAR, wchar_t),
	BASIC(0x240, "INT8_T", INT8, int8_t),
	BASIC(0x241, "UINT8_T", UINT8, uint8_t),
	BASIC(0x243, "CHAR", CHAR, char),
	BASIC(0x244, "SIGNED_CHAR", INT8, signed char),
	BASIC(0x245, "UNSIGNED_CHAR", UINT8, unsigned char),
	BASIC(0x247, "BYTE", BYTE, char),
	BASIC(0x248, "INT16_T", INT16, int16_t),
	BASIC(0x249, "UINT16_T", UINT16, uint16_t),
	BASIC(0x250, "INT32_T", INT32, int32_t),
	BASIC(0x251, "UINT32_T", UINT32, uint32_t),
	BASIC(0x258, "INT64_T", INT64, int64_t),
	BASIC(0x259, "UINT64_T", UINT64, uint64_t),
	BASIC(0x2c0, "LOGICAL1", INT8, int8_t),
	BASIC(0x2c1, "INTEGER1", INT8, int8_t),
	BASIC(0x2c8, "LOGICAL2", INT16, int16_t),
	BASIC(0x2c9, "INTEGER2", INT16, int16_t),
	BASIC(0x2d0, "LOGICAL4", INT32, int32_t),
	BASIC(0x2d1, "INTEGER4", INT32, int32_t),
	BASIC(0x2d2, "REAL4", FLOAT, float),
	BASIC(0x2d8, "LOGICAL8", INT64, int64_t),
	BASIC(0x2d9, "INTEGER8", INT64, int64_t),
	BASIC(0x2da, "REAL8", DOUBLE, double),
	BASIC(0x2db, "COMPLEX8", COMPLEX_FLOAT, float complex),
	BASIC(0x2e1, "INTEGER16", INT128, __int128),
	BASIC(0x2e3, "COMPLEX16", COMPLEX_DOUBLE, double complex)
};
