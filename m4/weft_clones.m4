dnl SPDX-License-Identifier: BSD-3-Clause
dnl
dnl AX_WEFT_CLONES: can one function be compiled twice, for any processor and for
dnl one with AVX2, of which the linker takes the better when a program starts?
dnl What it asks then (ifunc) runs before a sanitizer, or a fuzzer, does.
AC_DEFUN([AX_WEFT_CLONES], [
AC_CACHE_CHECK([for functions that are compiled for several processors],
  [weft_cv_clones],
  [weft_save_CFLAGS=$CFLAGS
   CFLAGS="$CFLAGS -Werror"
   AC_LINK_IFELSE([AC_LANG_SOURCE([[
     __attribute__((target_clones("avx2", "default")))
     static int f(int x) { return x + 1; }
     int (*const table[])(int) = { f };
     int main(int argc, char **argv) { (void)argv; return table[0](argc); }
     ]])], [weft_cv_clones=yes], [weft_cv_clones=no])
   CFLAGS=$weft_save_CFLAGS])
AS_IF([test "x$weft_cv_clones$enable_sanitizers$enable_fuzz" = xyesnono],
  [AC_DEFINE([WF_CLONES], [1],
    [Define to compile some functions for AVX2 as well.])])
])
