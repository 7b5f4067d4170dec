dnl SPDX-License-Identifier: BSD-3-Clause
dnl
dnl AX_WEFT_MODES: the warning flags that every file is compiled with and the
dnl options for special builds. They go into WEFT_CFLAGS and WEFT_LDFLAGS, so
dnl that CFLAGS stays the user's.
AC_DEFUN([AX_WEFT_MODES], [
WEFT_CFLAGS="-std=gnu11 -ffp-contract=off -fvisibility=hidden"
WEFT_CFLAGS="$WEFT_CFLAGS -Wall -Wextra -Wshadow -Wstrict-prototypes"
WEFT_CFLAGS="$WEFT_CFLAGS -Wmissing-prototypes -Wmissing-field-initializers"
WEFT_LDFLAGS=

AC_ARG_ENABLE([werror],
  [AS_HELP_STRING([--enable-werror], [turn compiler warnings into errors])],
  [], [enable_werror=no])
AS_IF([test "x$enable_werror" = xyes], [WEFT_CFLAGS="$WEFT_CFLAGS -Werror"])

AC_ARG_ENABLE([debug],
  [AS_HELP_STRING([--enable-debug], [check own invariants, compile trace logs])],
  [], [enable_debug=no])
AS_IF([test "x$enable_debug" = xyes],
  [AC_DEFINE([WF_DEBUG], [1], [Define to check invariants and to log traces.])])

AC_ARG_ENABLE([coverage],
  [AS_HELP_STRING([--enable-coverage], [count executed lines with gcov])],
  [], [enable_coverage=no])
AS_IF([test "x$enable_coverage" = xyes],
  [WEFT_CFLAGS="$WEFT_CFLAGS --coverage -fprofile-update=atomic"
   WEFT_CFLAGS="$WEFT_CFLAGS -include tools/coverage_ends.h"
   WEFT_LDFLAGS="$WEFT_LDFLAGS --coverage"])

AC_ARG_ENABLE([sanitizers],
  [AS_HELP_STRING([--enable-sanitizers=LIST],
    [compile with sanitizers: address,undefined or thread])],
  [], [enable_sanitizers=no])
AS_CASE([$enable_sanitizers],
  [no], [],
  [yes], [enable_sanitizers=address,undefined])
AS_IF([test "x$enable_sanitizers" != xno],
  [WEFT_CFLAGS="$WEFT_CFLAGS -fsanitize=$enable_sanitizers"
   WEFT_CFLAGS="$WEFT_CFLAGS -fno-sanitize-recover=all -fno-omit-frame-pointer"
   WEFT_LDFLAGS="$WEFT_LDFLAGS -fsanitize=$enable_sanitizers"
   dnl Without it copies that the compiler inlines are not seen.
   AS_CASE([$enable_sanitizers],
     [*thread*], [WEFT_CFLAGS="$WEFT_CFLAGS -fno-builtin"])])
AM_CONDITIONAL([SANITIZED], [test "x$enable_sanitizers" != xno])

AC_ARG_ENABLE([fuzz],
  [AS_HELP_STRING([--enable-fuzz], [build tests/fuzz with libFuzzer (clang)])],
  [], [enable_fuzz=no])
AS_IF([test "x$enable_fuzz" = xyes],
  [WEFT_CFLAGS="$WEFT_CFLAGS -fsanitize=fuzzer-no-link"])
AM_CONDITIONAL([FUZZ], [test "x$enable_fuzz" = xyes])

AC_ARG_ENABLE([quick-libtool],
  [AS_HELP_STRING([--enable-quick-libtool],
    [make objects and programs that are not installed without libtool])],
  [], [enable_quick_libtool=no])
AS_CASE([$enable_quick_libtool:$enable_static:$lt_prog_compiler_pic],
  [no:*], [],
  [*:no:*-fPIC*],
    [LIBTOOL='AR='\''$(AR)'\'' $(top_srcdir)/tools/quick-libtool'],
  [AC_MSG_WARN([libtool is not left out: that needs --disable-static, -fPIC])])

AC_SUBST([WEFT_CFLAGS])
AC_SUBST([WEFT_LDFLAGS])
])
