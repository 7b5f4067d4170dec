dnl SPDX-License-Identifier: BSD-3-Clause
dnl
dnl AX_WEFT_VERBS: is the transport over RDMA devices wanted?  Not by default: a
dnl path that breaks while the peer lives is not made anew yet.  libibverbs is
dnl linked, unlike libfabric: that costs a process 0.3 ms at its start, and it
dnl loads its own providers only when devices are looked for.
AC_DEFUN([AX_WEFT_VERBS], [
AC_ARG_WITH([verbs], [AS_HELP_STRING([--with-verbs],
  [build the transport over RDMA devices, which cannot mend a broken path yet])],
  [], [with_verbs=no])
have_verbs=no
AS_IF([test "x$with_verbs" != xno],
  [PKG_CHECK_MODULES([VERBS], [libibverbs >= 1.12], [have_verbs=yes],
    [AC_MSG_ERROR([libibverbs (>= 1.12) is missing; dnl
Debian package: libibverbs-dev])])])
AS_IF([test $have_verbs = yes],
  [AC_DEFINE([WF_HAVE_VERBS], [1], [the transport over RDMA devices is built])])
AM_CONDITIONAL([HAVE_VERBS], [test $have_verbs = yes])
])
