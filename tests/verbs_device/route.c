/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a path leads: by LID and GID to a port, by number to a queue pair.
 */
#include "tests/verbs_device/device.h"

#include <errno.h>
#include <string.h>

/* Is there a GID at the place that the path names, of this namespace? */
int vd_check_gid(int device, const struct ibv_ah_attr *path)
{
	unsigned moved = vd_gids_moved(device, path->port_num);
	unsigned place = path->grh.sgid_index - moved;
	const struct vd_port_setup *p = vd_port_setup(device, path->port_num);

	if (path->grh.sgid_index < moved || (int)place >= p->ngids)
		return EINVAL;
	return p->foreign >> place & 1 ? ENODEV : 0;
}

/* The same by the place where it was at first: who has it keeps the GID. */
struct ibv_ah_attr vd_path(int device, const struct ibv_ah_attr *path)
{
	struct ibv_ah_attr at_first = *path;

	if (path->is_global)
		at_first.grh.sgid_index = (uint8_t)(path->grh.sgid_index -
			vd_gids_moved(device, path->port_num));
	return at_first;
}

static bool is_global_to(const struct vd_qp_state *from,
			 const struct ibv_ah_attr *path, int host, int device,
			 int port)
{
	const struct vd_port_setup *own = vd_port_setup(from->device,
							from->port);
	const struct vd_port_setup *p = vd_port_of(host, device, port);
	uint32_t type = own->gid[path->grh.sgid_index].gid_type;

	for (int i = 0; i < p->ngids; i++) {
		union ibv_gid gid = vd_gid(host, device, port, i);

		if (p->gid[i].gid_type == type &&
		    !memcmp(gid.raw, path->grh.dgid.raw, sizeof(gid.raw)))
			return true;
	}
	return false;
}

static bool leads_to(const struct vd_qp_state *from,
		     const struct ibv_ah_attr *path, int host, int device,
		     int port)
{
	const struct vd_port_setup *p = vd_port_of(host, device, port);
	const struct vd_port_setup *own = vd_port_setup(from->device,
							from->port);

	if (p->attr.link_layer != own->attr.link_layer ||
	    port > vd_device_of(host, device)->attr.phys_port_cnt)
		return false;
	return !path->is_global ||
	       is_global_to(from, path, host, device, port);
}

static bool has_lid(const struct vd_qp_state *to,
		    const struct ibv_ah_attr *path)
{
	const struct ibv_port_attr *attr =
		&vd_port_of(to->host, to->device, to->port)->attr;

	return attr->link_layer != IBV_LINK_LAYER_INFINIBAND ||
	       path->dlid == attr->lid + to->host +
			     vd_lids_moved(vd_process(to->used), to->device,
					   to->port);
}

/* InfiniBand vol. 1, 10.9.3: at least one of the two is a full member. */
static bool share_partition(const struct vd_qp_state *a,
			    const struct vd_qp_state *b)
{
	uint16_t of_a = vd_port_of(a->host, a->device, a->port)
		->pkey[a->attr.pkey_index];
	uint16_t of_b = vd_port_of(b->host, b->device, b->port)
		->pkey[b->attr.pkey_index];

	return !((of_a ^ of_b) & 0x7fff) && (of_a | of_b) & 0x8000;
}

/* InfiniBand vol. 1, 7.2.7: a link that is not active takes no data packets. */
static bool passes(uint32_t process, const struct vd_qp_state *q)
{
	const struct vd_port_setup *p = vd_port_of(q->host, q->device, q->port);

	return p->attr.state == IBV_PORT_ACTIVE &&
	       !vd_is_down(vd_process(process), q->device, q->port);
}

/* InfiniBand vol. 1, 9.6.1.2: the GID is that of the peer of a connection. */
static bool comes_from_peer(const struct vd_qp_state *from,
			    const struct ibv_ah_attr *path,
			    const struct vd_qp_state *to)
{
	const struct ibv_ah_attr *back = &to->attr.ah_attr;
	union ibv_gid gid;

	if (to->type != IBV_QPT_RC || !path->is_global || !back->is_global)
		return true;
	gid = vd_gid(from->host, from->device, from->port,
		     path->grh.sgid_index);
	return !memcmp(gid.raw, back->grh.dgid.raw, sizeof(gid.raw));
}

static bool is_at(const struct vd_qp_state *from,
		  const struct ibv_ah_attr *path, const struct vd_qp_state *to)
{
	return leads_to(from, path, to->host, to->device, to->port) &&
	       has_lid(to, path) &&
	       comes_from_peer(from, path, to) && share_partition(from, to) &&
	       passes(vd_me(), from) &&
	       passes(to->used, to);
}

/* NULL: nobody there receives. */
struct vd_qp_state *vd_route(const struct vd_qp_state *from,
			     const struct ibv_ah_attr *path, uint32_t qpn)
{
	struct vd_qp_state *to = vd_qp_of(qpn);

	if (!to || (to->state != IBV_QPS_RTR && to->state != IBV_QPS_RTS) ||
	    to->type != from->type || !is_at(from, path, to) ||
	    !vd_is_alive(vd_process(to->used)))
		return NULL;
	return to;
}
