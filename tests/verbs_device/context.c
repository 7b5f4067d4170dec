/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Devices of this host, contexts of this process, and what they tell of
 * themselves.  Attributes are the description's, but for what each host has of
 * its own: LIDs and GIDs count up by host.
 */
#include "tests/verbs_device/device.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/verbs_device/model.h"

struct vd_context *vd_contexts;

static struct ibv_device devices[VD_DEVICES];

void vd_name_devices(void)
{
	for (int i = 0; i < vd_setup()->ndevices; i++) {
		struct ibv_device *d = &devices[i];

		d->node_type = IBV_NODE_CA;
		d->transport_type = vd_device_setup(i)->iwarp ?
			IBV_TRANSPORT_IWARP : IBV_TRANSPORT_IB;
		snprintf(d->name, sizeof(d->name), "%s",
			 vd_device_setup(i)->name);
		snprintf(d->dev_name, sizeof(d->dev_name), "uverbs%d", i);
		snprintf(d->ibdev_path, sizeof(d->ibdev_path), "%s",
			 vd_device_setup(i)->sysfs);
	}
}

struct ibv_device **ibv_get_device_list(int *n_p)
{
	struct ibv_device **list = NULL;
	int n, error;

	vd_look_again();
	n = vd_setup()->ndevices;
	error = vd_fails("ibv_get_device_list");
	if (!error)
		list = calloc((size_t)n + 1, sizeof(*list));
	for (int i = 0; list && i < n; i++)
		list[i] = &devices[i];
	if (n_p)
		*n_p = list ? n : 0;
	if (error)
		errno = error;
	return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
	free(list);
}

const char *ibv_get_device_name(struct ibv_device *device)
{
	return device->name;
}

/* The port of that host as its users see it. */
static int query_port(struct ibv_context *context, uint8_t port,
		      struct ibv_port_attr *attr, size_t bytes)
{
	struct vd_context *c = vd_context(context);
	struct ibv_port_attr all;
	int error = vd_fails("ibv_query_port");

	if (error)
		return error;
	if (port < 1 || port > vd_device_setup(c->device)->attr.phys_port_cnt)
		return EINVAL;
	all = vd_port_setup(c->device, port)->attr;
	if (all.link_layer == IBV_LINK_LAYER_INFINIBAND)
		all.lid = (uint16_t)(all.lid + c->host +
				     vd_lids_moved(vd_self, c->device, port));
	if (vd_is_down(vd_self, c->device, port))
		all.state = IBV_PORT_DOWN;
	memset(attr, 0, bytes);
	memcpy(attr, &all, bytes < sizeof(all) ? bytes : sizeof(all));
	return 0;
}

/* For programs that were built with an old header. */
int (ibv_query_port)(struct ibv_context *context, uint8_t port,
		     struct _compat_ibv_port_attr *attr)
{
	(void)context;
	(void)port;
	(void)attr;
	return ENOSYS;
}

static void set_ops(struct vd_context *c)
{
	struct ibv_context_ops *ops = &c->ex.context.ops;

	c->ex.sz = sizeof(c->ex);
	c->ex.query_port = query_port;
	c->ex.context.abi_compat = (void *)UINTPTR_MAX;
	ops->poll_cq = vd_poll_cq;
	ops->req_notify_cq = vd_req_notify_cq;
	ops->post_send = vd_post_send;
	ops->post_recv = vd_post_recv;
	ops->post_srq_recv = vd_post_srq_recv;
}

static int most(const struct ibv_device_attr *can, enum vd_kind kind)
{
	switch (kind) {
	case VD_QP:
		return can->max_qp;
	case VD_CQ:
		return can->max_cq;
	case VD_SRQ:
		return can->max_srq;
	case VD_MR:
		return can->max_mr;
	default:
		return can->max_ah;
	}
}

/* May there be one more? */
bool vd_has_room(const struct vd_context *c, enum vd_kind kind)
{
	return vd_count(c->device, kind) <
	       (uint32_t)most(&vd_device_setup(c->device)->attr, kind);
}

/* It must go before the context; by is 1 or -1. */
void vd_hold(struct vd_context *c, enum vd_kind kind, int by)
{
	c->objects += by;
	vd_self->has[c->device][kind] += (uint32_t)by;
}

static struct vd_context *fail(struct vd_context *c, int error)
{
	free(c);
	errno = error;
	return NULL;
}

static struct vd_context *open_device(struct ibv_device *device)
{
	struct vd_context *c = calloc(1, sizeof(*c));
	int error = vd_fails("ibv_open_device");

	if (!c)
		return NULL;
	if (!error)
		error = vd_enter();
	if (error)
		return fail(c, error);
	error = vd_box_open(&c->box);
	if (error) {
		vd_leave();
		return fail(c, error);
	}
	c->host = vd_self->host;
	c->device = (int)(device - devices);
	c->ex.context.device = device;
	c->ex.context.async_fd = c->box.fd;
	c->ex.context.cmd_fd = -1;
	c->ex.context.num_comp_vectors = vd_device_setup(c->device)->vectors;
	set_ops(c);
	return c;
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	struct vd_context *c = open_device(device);

	if (!c)
		return NULL;
	vd_model_open();
	vd_lock();
	c->next = vd_contexts;
	vd_contexts = c;
	if (!vd_self->born)
		vd_mishaps_begin();
	vd_unlock();
	return &c->ex.context;
}

int ibv_close_device(struct ibv_context *context)
{
	struct vd_context *c = vd_context(context), **at = &vd_contexts;

	vd_lock();
	if (c->objects)
		vd_finding("ibv_close_device: %d objects of it are left",
			   c->objects);
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	for (uint32_t i = vd_self->nnews; i-- > 0;)
		if (vd_self->news[i].context == c)
			vd_self->news[i] =
				vd_self->news[--vd_self->nnews];
	vd_unlock();
	vd_box_close(&c->box);
	free(c);
	vd_leave();
	return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	int error = vd_fails("ibv_query_device");

	if (!error)
		*attr = vd_device_setup(vd_context(context)->device)->attr;
	return error;
}

/* The GIDs of a host differ in their last two bytes. */
union ibv_gid vd_gid(int host, int device, int port, int index)
{
	union ibv_gid gid = vd_port_of(host, device, port)->gid[index].gid;

	gid.raw[15] = (uint8_t)(gid.raw[15] + host + 1);
	return gid;
}

ssize_t _ibv_query_gid_table(struct ibv_context *context,
			     struct ibv_gid_entry *entry, size_t most,
			     uint32_t flags, size_t bytes)
{
	struct vd_context *c = vd_context(context);
	int ports = vd_device_setup(c->device)->attr.phys_port_cnt;
	int error = vd_fails("ibv_query_gid_table");
	ssize_t n = 0;

	if (error)
		return -error;
	if (flags || bytes < sizeof(*entry))
		return -EINVAL;
	for (int port = 1; port <= ports; port++) {
		unsigned moved;

		vd_lock();
		moved = vd_gids_moved(c->device, port);
		vd_unlock();
		for (int i = 0; i < vd_port_setup(c->device, port)->ngids;
		     i++) {
			struct ibv_gid_entry e =
				vd_port_setup(c->device, port)->gid[i];

			if ((size_t)n == most)
				return -EINVAL;
			e.gid = vd_gid(c->host, c->device, port, i);
			e.gid_index += moved;
			memset((char *)entry + (size_t)n * bytes, 0, bytes);
			memcpy((char *)entry + (size_t)n * bytes, &e,
			       sizeof(e));
			n++;
		}
	}
	return n;
}

/* ENODATA: nothing is at that place. */
int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port,
		      uint32_t index, struct ibv_gid_entry *entry,
		      uint32_t flags, size_t bytes)
{
	const struct vd_context *c = vd_context(context);
	int ports = vd_device_setup(c->device)->attr.phys_port_cnt;
	int error = vd_fails("ibv_query_gid_ex");
	struct ibv_gid_entry e;
	unsigned moved;

	if (error)
		return error;
	if (flags || bytes < sizeof(e) || port < 1 || (int)port > ports)
		return EINVAL;
	vd_lock();
	moved = vd_gids_moved(c->device, (int)port);
	vd_unlock();
	if (index < moved ||
	    (int)(index - moved) >= vd_port_setup(c->device, (int)port)->ngids)
		return ENODATA;
	e = vd_port_setup(c->device, (int)port)->gid[index - moved];
	e.gid = vd_gid(c->host, c->device, (int)port, (int)(index - moved));
	e.gid_index = index;
	memset(entry, 0, bytes);
	memcpy(entry, &e, sizeof(e));
	return 0;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t port, int index,
		   __be16 *pkey)
{
	const struct vd_context *c = vd_context(context);
	const struct vd_port_setup *p;
	int error = vd_fails("ibv_query_pkey");

	if (error)
		return error;
	if (port < 1 || port > vd_device_setup(c->device)->attr.phys_port_cnt)
		return EINVAL;
	p = vd_port_setup(c->device, port);
	if (index < 0 || index >= p->npkeys)
		return EINVAL;
	*pkey = htobe16(p->pkey[index]);
	return 0;
}

int ibv_fork_init(void)
{
	return vd_fails("ibv_fork_init");
}

/* Pages are not pinned: a child has copies, and writes go to the parent. */
enum ibv_fork_status ibv_is_fork_initialized(void)
{
	return IBV_FORK_UNNEEDED;
}
