/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scotch, loaded for one reorder.  Distributions name it with its version or
 * without; where it does not name the library of its messages as needed, that
 * is loaded first.
 */
#include "topo/reorder_scotch.h"

#include <dlfcn.h>
#include <stddef.h>

static void *open_any(void)
{
	static const char *const names[][2] = {
		{ "libscotch-7.0.so", "libscotcherr-7.0.so" },
		{ "libscotch.so.7.0", "libscotcherr.so.7.0" },
		{ "libscotch.so.7", "libscotcherr.so.7" },
		{ "libscotch.so", "libscotcherr.so" },
	};
	void *handle = NULL;

	for (size_t i = 0; !handle && i < sizeof(names) / sizeof(names[0]);
	     i++) {
		handle = dlopen(names[i][0], RTLD_NOW | RTLD_LOCAL);
		if (!handle && dlopen(names[i][1], RTLD_NOW | RTLD_GLOBAL))
			handle = dlopen(names[i][0], RTLD_NOW | RTLD_LOCAL);
	}
	return handle;
}

/* Functions do not fit into void * by the letter of C; POSIX wants it. */
static bool find(const struct wf_scotch *lib, const char *name,
		 void *function_p)
{
	void **to = function_p;

	*to = dlsym(lib->handle, name);
	return *to;
}

static bool find_objects(struct wf_scotch *lib)
{
	return find(lib, "SCOTCH_contextAlloc", &lib->context.alloc) &&
	       find(lib, "SCOTCH_contextInit", &lib->context.init) &&
	       find(lib, "SCOTCH_contextExit", &lib->context.exit) &&
	       find(lib, "SCOTCH_graphAlloc", &lib->graph.alloc) &&
	       find(lib, "SCOTCH_graphInit", &lib->graph.init) &&
	       find(lib, "SCOTCH_graphExit", &lib->graph.exit) &&
	       find(lib, "SCOTCH_archAlloc", &lib->arch.alloc) &&
	       find(lib, "SCOTCH_archInit", &lib->arch.init) &&
	       find(lib, "SCOTCH_archExit", &lib->arch.exit) &&
	       find(lib, "SCOTCH_stratAlloc", &lib->strat.alloc) &&
	       find(lib, "SCOTCH_stratInit", &lib->strat.init) &&
	       find(lib, "SCOTCH_stratExit", &lib->strat.exit) &&
	       find(lib, "SCOTCH_memFree", &lib->free);
}

static bool find_context(struct wf_scotch *lib)
{
	return find(lib, "SCOTCH_contextRandomClone", &lib->random_clone) &&
	       find(lib, "SCOTCH_contextRandomReset", &lib->random_reset) &&
	       find(lib, "SCOTCH_contextThreadSpawn", &lib->spawn) &&
	       find(lib, "SCOTCH_contextBindGraph", &lib->bind);
}

static bool find_all(struct wf_scotch *lib)
{
	int (*num_sizeof)(void);

	if (!find_objects(lib) || !find_context(lib) ||
	    !find(lib, "SCOTCH_graphBuild", &lib->build.any) ||
	    !find(lib, "SCOTCH_archCmpltw", &lib->weighted.any) ||
	    !find(lib, "SCOTCH_stratGraphMapBuild", &lib->strategy.any) ||
	    !find(lib, "SCOTCH_graphMap", &lib->map) ||
	    !find(lib, "SCOTCH_numSizeof", &num_sizeof))
		return false;
	lib->num_bytes = num_sizeof();
	return lib->num_bytes == 4 || lib->num_bytes == 8;
}

bool wf_scotch_open(struct wf_scotch *lib)
{
	lib->handle = open_any();
	if (!lib->handle)
		return false;
	if (find_all(lib))
		return true;
	dlclose(lib->handle);
	return false;
}

void wf_scotch_close(struct wf_scotch *lib)
{
	dlclose(lib->handle);
}
