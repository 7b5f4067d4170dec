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
	[handle - WF_MPI_FIRST_TYPE] = WF_TYPE_BASIC(row, c, "MPI_" name_),
#define PAIR(handle, name_, row, tag) \
	[handle - WF_MPI_FIRST_TYPE] = WF_TYPE_PAIR(row, tag, "MPI_" name_),
#define PLACE(handle, name_, row, c) \
	[handle - WF_MPI_FIRST_TYPE] = \
		&wf_mpi_types[handle - WF_MPI_FIRST_TYPE],

WF_TYPE_PAIR_LAYOUT(float_int, float, int);
WF_TYPE_PAIR_LAYOUT(double_int, double, int);
WF_TYPE_PAIR_LAYOUT(long_int, long, int);
WF_TYPE_PAIR_LAYOUT(2int, int, int);
WF_TYPE_PAIR_LAYOUT(short_int, short, int);
WF_TYPE_PAIR_LAYOUT(long_double_int, long double, int);
WF_TYPE_PAIR_LAYOUT(2float, float, float);
WF_TYPE_PAIR_LAYOUT(2double, double, double);

#define ALL(basic, pair)						\
	basic(0x201, "AINT", INT64, MPI_Aint)				\
	basic(0x202, "COUNT", INT64, MPI_Count)				\
	basic(0x203, "OFFSET", INT64, MPI_Offset)			\
	basic(0x207, "PACKED", CHAR, char)				\
	basic(0x208, "SHORT", INT16, short)				\
	basic(0x209, "INT", INT32, int)					\
	basic(0x20a, "LONG", INT64, long)				\
	basic(0x20b, "LONG_LONG", INT64, long long)			\
	basic(0x20c, "UNSIGNED_SHORT", UINT16, unsigned short)		\
	basic(0x20d, "UNSIGNED", UINT32, unsigned)			\
	basic(0x20e, "UNSIGNED_LONG", UINT64, unsigned long)		\
	basic(0x20f, "UNSIGNED_LONG_LONG", UINT64, unsigned long long)	\
	basic(0x210, "FLOAT", FLOAT, float)				\
	basic(0x212, "C_FLOAT_COMPLEX", COMPLEX_FLOAT, float complex)	\
	basic(0x213, "CXX_FLOAT_COMPLEX", COMPLEX_FLOAT,		\
	      float complex)						\
	basic(0x214, "DOUBLE", DOUBLE, double)				\
	basic(0x216, "C_DOUBLE_COMPLEX", COMPLEX_DOUBLE,		\
	      double complex)						\
	basic(0x217, "CXX_DOUBLE_COMPLEX", COMPLEX_DOUBLE,		\
	      double complex)						\
	basic(0x218, "LOGICAL", INT32, int32_t)				\
	basic(0x219, "INTEGER", INT32, int32_t)				\
	basic(0x21a, "REAL", FLOAT, float)				\
	basic(0x21b, "COMPLEX", COMPLEX_FLOAT, float complex)		\
	basic(0x21c, "DOUBLE_PRECISION", DOUBLE, double)		\
	basic(0x21d, "DOUBLE_COMPLEX", COMPLEX_DOUBLE, double complex)	\
	basic(0x21e, "CHARACTER", CHAR, char)				\
	basic(0x220, "LONG_DOUBLE", LONG_DOUBLE, long double)		\
	basic(0x224, "C_LONG_DOUBLE_COMPLEX", COMPLEX_LONG_DOUBLE,	\
	      long double complex)					\
	basic(0x225, "CXX_LONG_DOUBLE_COMPLEX", COMPLEX_LONG_DOUBLE,	\
	      long double complex)					\
	pair(0x228, "FLOAT_INT", FLOAT_INT, float_int)			\
	pair(0x229, "DOUBLE_INT", DOUBLE_INT, double_int)		\
	pair(0x22a, "LONG_INT", LONG_INT, long_int)			\
	pair(0x22b, "2INT", 2INT, 2int)					\
	pair(0x22c, "SHORT_INT", SHORT_INT, short_int)			\
	pair(0x22d, "LONG_DOUBLE_INT", LONG_DOUBLE_INT,			\
	      long_double_int)						\
	pair(0x230, "2REAL", 2FLOAT, 2float)				\
	pair(0x231, "2DOUBLE_PRECISION", 2DOUBLE, 2double)		\
	pair(0x232, "2INTEGER", 2INT, 2int)				\
	basic(0x238, "C_BOOL", BOOL, _Bool)				\
	basic(0x239, "CXX_BOOL", BOOL, _Bool)				\
	basic(0x23c, "WCHAR", WCHAR, wchar_t)				\
	basic(0x240, "INT8_T", INT8, int8_t)				\
	basic(0x241, "UINT8_T", UINT8, uint8_t)				\
	basic(0x243, "CHAR", CHAR, char)				\
	basic(0x244, "SIGNED_CHAR", INT8, signed char)			\
	basic(0x245, "UNSIGNED_CHAR", UINT8, unsigned char)		\
	basic(0x247, "BYTE", BYTE, char)				\
	basic(0x248, "INT16_T", INT16, int16_t)				\
	basic(0x249, "UINT16_T", UINT16, uint16_t)			\
	basic(0x250, "INT32_T", INT32, int32_t)				\
	basic(0x251, "UINT32_T", UINT32, uint32_t)			\
	basic(0x258, "INT64_T", INT64, int64_t)				\
	basic(0x259, "UINT64_T", UINT64, uint64_t)			\
	basic(0x2c0, "LOGICAL1", INT8, int8_t)				\
	basic(0x2c1, "INTEGER1", INT8, int8_t)				\
	basic(0x2c8, "LOGICAL2", INT16, int16_t)			\
	basic(0x2c9, "INTEGER2", INT16, int16_t)			\
	basic(0x2d0, "LOGICAL4", INT32, int32_t)			\
	basic(0x2d1, "INTEGER4", INT32, int32_t)			\
	basic(0x2d2, "REAL4", FLOAT, float)				\
	basic(0x2d8, "LOGICAL8", INT64, int64_t)			\
	basic(0x2d9, "INTEGER8", INT64, int64_t)			\
	basic(0x2da, "REAL8", DOUBLE, double)				\
	basic(0x2db, "COMPLEX8", COMPLEX_FLOAT, float complex)		\
	basic(0x2e1, "INTEGER16", INT128, __int128)			\
	basic(0x2e3, "COMPLEX16", COMPLEX_DOUBLE, double complex)

const struct weft_type wf_mpi_types[WF_MPI_TYPES] = { ALL(BASIC, PAIR) };

const struct weft_type *const wf_mpi_type_at[WF_MPI_TYPES] = {
	ALL(PLACE, PLACE)
};
