/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library: loaded by whoever opens a device.  Everything of libfabric but
 * the calls here goes through tables of its objects.  It stays loaded: its
 * providers start threads and handlers that must not lose their code.
 *
 * Variables of its own that are not set already are set before it looks:
 * the memory monitor, which would hook the program's allocation, off; the
 * queues small (the defaults cost 77 MB a process); the handlers of SIGSEGV
 * and others, which libraries of providers would install, off.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/lack.h"
#include "transport/ofi/ofi.h"

static void set_defaults(void)
{
	static const char *const defaults[][2] = {
		{ "FI_MR_CACHE_MONITOR", "disabled" },
		{ "FI_OFI_RXM_BUFFER_SIZE", "4096" },
		{ "FI_TCP_MAX_RX_SIZE", "4096" },
		{ "FI_OFI_RXM_TX_SIZE", "64" },
		{ "FI_OFI_RXM_RX_SIZE", "64" },
		{ "FI_OFI_RXM_MSG_TX_SIZE", "64" },
		{ "FI_OFI_RXM_MSG_RX_SIZE", "64" },
		{ "IPATH_NO_BACKTRACE", "1" },
		{ "HFI_NO_BACKTRACE", "1" },
	};

	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		setenv(defaults[i][0], defaults[i][1], 0);
}

/* Functions do not fit into void * by the letter of C; POSIX wants it. */
static bool find(void *handle, const char *name, const char *version,
		 void *function_p)
{
	void **to = function_p;

	*to = dlvsym(handle, name, version);
	return *to;
}

int wf_ofi_load(struct wf_ofi_lib *lib_p, char *why, size_t why_bytes)
{
	struct wf_ofi_lib lib;
	void *handle;

	set_defaults();
	handle = dlopen("libfabric.so.1", RTLD_NOW | RTLD_LOCAL |
			RTLD_NODELETE);
	if (handle && find(handle, "fi_getinfo", WF_FI_GETINFO, &lib.getinfo) &&
	    find(handle, "fi_freeinfo", WF_FI_FREEINFO, &lib.freeinfo) &&
	    find(handle, "fi_dupinfo", WF_FI_DUPINFO, &lib.dupinfo) &&
	    find(handle, "fi_fabric", WF_FI_FABRIC, &lib.fabric) &&
	    find(handle, "fi_strerror", WF_FI_STRERROR, &lib.strerror)) {
		*lib_p = lib;
		return WEFT_OK;
	}
	snprintf(why, why_bytes, "libfabric cannot be loaded: %s", dlerror());
	wf_lack_hint(0, why, why_bytes);
	return WEFT_ERR_UNSUPPORTED;
}
