# SPDX-License-Identifier: BSD-3-Clause
#
# How hpcc is built, for its own makefiles: arch=weft.  It uses names that MPI 3
# has removed.
ARCH = weft
TOPdir = ../../..
SHELL = /bin/sh
CD = cd
CP = cp
LN_S = ln -fs
MKDIR = mkdir -p
RM = rm -f
TOUCH = touch
ARCHIVER = ar
ARFLAGS = r
RANLIB = echo
INCdir = $(TOPdir)/include
BINdir = $(TOPdir)/bin/$(ARCH)
LIBdir = $(TOPdir)/lib/$(ARCH)
HPLlib = $(LIBdir)/libhpl.a
HPL_DEFS = -DAdd_ -DF77_INTEGER=int -DStringSunStyle \
	-I$(INCdir) -I$(INCdir)/$(ARCH)
HPL_LIBS = $(HPLlib) -lblas -lm
CC = weftcc
CCNOOPT = $(HPL_DEFS) -w -DWEFT_MPI_LEGACY
CCFLAGS = $(CCNOOPT) -O2
LINKER = weftcc
LINKFLAGS = $(CCFLAGS)
