dnl SPDX-License-Identifier: BSD-3-Clause
dnl
dnl AX_WEFT_FABRIC: is libfabric there?  Only its headers are compiled in; the
dnl library is loaded when a job needs it.  So that the functions found then are
dnl those that the headers describe, the versions of their symbols, to which a
dnl linked program would be bound, are taken from one.
AC_DEFUN([AX_WEFT_FABRIC], [
AC_ARG_WITH([libfabric], [AS_HELP_STRING([--without-libfabric],
  [build no transport over libfabric])], [], [with_libfabric=check])
have_fabric=no
AS_IF([test "x$with_libfabric" != xno],
  [PKG_CHECK_MODULES([FABRIC], [libfabric >= 1.14], [have_fabric=yes],
    [AC_MSG_WARN([libfabric (>= 1.14) is missing, so jobs stay on one node; dnl
Debian package: libfabric-dev])])])
AS_IF([test "x$with_libfabric$have_fabric" = xyesno],
  [AC_MSG_ERROR([--with-libfabric was given, but libfabric is missing])])
AS_IF([test $have_fabric = yes],
  [weft_save_LIBS=$LIBS
   weft_save_CFLAGS=$CFLAGS
   LIBS="$LIBS $FABRIC_LIBS"
   CFLAGS="$CFLAGS $FABRIC_CFLAGS"
   AC_MSG_CHECKING([for the versions of libfabric's symbols])
   AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <rdma/fabric.h>]],
     [[struct fi_info *i = fi_dupinfo(0); struct fid_fabric *f;
       fi_getinfo(0, 0, 0, 0, i, &i); fi_fabric(i->fabric_attr, &f, 0);
       fi_freeinfo(i); return !fi_strerror(0);]])],
     [for weft_f in getinfo freeinfo dupinfo fabric strerror; do
        weft_v=`$NM -D --with-symbol-versions conftest$EXEEXT 2>/dev/null |
          sed -n "s/.* fi_$weft_f@@*\([[A-Z0-9_.]]*\).*/\1/p"`
        test -n "$weft_v" || have_fabric=no
        eval weft_fi_$weft_f=\$weft_v
      done], [have_fabric=no])
   LIBS=$weft_save_LIBS
   CFLAGS=$weft_save_CFLAGS
   AC_MSG_RESULT([$have_fabric])])
AS_IF([test $have_fabric = yes],
  [AC_DEFINE([WF_HAVE_OFI], [1], [the transport over libfabric is built])
   AC_DEFINE_UNQUOTED([WF_FI_GETINFO], ["$weft_fi_getinfo"], [its symbol version])
   AC_DEFINE_UNQUOTED([WF_FI_FREEINFO], ["$weft_fi_freeinfo"], [its symbol version])
   AC_DEFINE_UNQUOTED([WF_FI_DUPINFO], ["$weft_fi_dupinfo"], [its symbol version])
   AC_DEFINE_UNQUOTED([WF_FI_FABRIC], ["$weft_fi_fabric"], [its symbol version])
   AC_DEFINE_UNQUOTED([WF_FI_STRERROR], ["$weft_fi_strerror"], [its symbol version])])
AM_CONDITIONAL([HAVE_LIBFABRIC], [test $have_fabric = yes])
])
