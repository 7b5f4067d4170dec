dnl SPDX-License-Identifier: BSD-3-Clause
dnl
dnl AX_WEFT_VERBS: is the transport over RDMA devices built?  Where libibverbs
dnl is found, unless it is not wanted.  It is linked, unlike libfabric: that costs
dnl a process 0.3 ms at its start, and it loads its own providers only when
dnl devices are looked for.
AC_DEFUN([AX_WEFT_VERBS], [
AC_ARG_WITH([verbs], [AS_HELP_STRING([--without-verbs],
  [leave out the transport over RDMA devices])], [], [with_verbs=check])
have_verbs=no
AS_IF([test "x$with_verbs" != xno],
  [PKG_CHECK_MODULES([VERBS], [libibverbs >= 1.14], [have_verbs=yes],
    [AS_IF([test "x$with_verbs" != xcheck],
      [AC_MSG_ERROR([libibverbs (>= 1.14) is missing; dnl
Debian package: libibverbs-dev])])])])
AS_IF([test $have_verbs = yes],
  [AC_DEFINE([WF_HAVE_VERBS], [1], [the transport over RDMA devices is built])])
AM_CONDITIONAL([HAVE_VERBS], [test $have_verbs = yes])
])
