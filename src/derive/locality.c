/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects of a node that hold a process: see locality.h. */
#include "derive/locality.h"

#include <hwloc.h>
#include <stddef.h>

static hwloc_obj_type_t object_type(enum weft_split type)
{
	switch (type) {
	case WEFT_SPLIT_PACKAGE:
		return HWLOC_OBJ_PACKAGE;
	case WEFT_SPLIT_L3:
		return HWLOC_OBJ_L3CACHE;
	default:
		return HWLOC_OBJ_NUMANODE;
	}
}

/* No plugins: those of devices may ask for displays by the network. */
static void leave_out_devices(hwloc_topology_t machine)
{
	static const char *const devices[] = {
		"pci", "gl", "opencl", "cuda", "nvml", "rsmi", "levelzero"
	};

	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
		(void)hwloc_topology_set_components(
			machine, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST,
			devices[i]);
}

static int load(hwloc_topology_t *machine_p)
{
	hwloc_topology_t machine;

	if (hwloc_topology_init(&machine))
		return -1;
	leave_out_devices(machine);
	/* All number the objects alike, whatever each of them may use. */
	if (hwloc_topology_set_flags(
		    machine, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) ||
	    hwloc_topology_load(machine)) {
		hwloc_topology_destroy(machine);
		return -1;
	}
	*machine_p = machine;
	return 0;
}

static int find(hwloc_topology_t machine, hwloc_obj_type_t type,
		hwloc_bitmap_t cpus)
{
	hwloc_obj_t object = NULL;
	int found = WF_LOCALITY_NONE;

	/* without those that are offline */
	hwloc_bitmap_and(cpus, cpus,
			 hwloc_topology_get_topology_cpuset(machine));
	if (hwloc_bitmap_iszero(cpus))
		return WF_LOCALITY_UNKNOWN;
	/* A NUMA node of memory alone has no CPUs. */
	while ((object = hwloc_get_next_obj_by_type(machine, type, object)))
		if (found == WF_LOCALITY_NONE &&
		    hwloc_bitmap_isincluded(cpus, object->cpuset))
			found = (int)object->logical_index;
	return found;
}

int wf_locality_of(enum weft_split type)
{
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
	int found = WF_LOCALITY_UNKNOWN;
	hwloc_topology_t machine;

	if (!cpus || load(&machine)) {
		hwloc_bitmap_free(cpus);
		return found;
	}
	if (!hwloc_get_cpubind(machine, cpus, HWLOC_CPUBIND_THREAD))
		found = find(machine, object_type(type), cpus);
	hwloc_topology_destroy(machine);
	hwloc_bitmap_free(cpus);
	return found;
}
