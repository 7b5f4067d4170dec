/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The words of each statement of VERBS_DEVICE: see setup.c.
 */
#include "tests/verbs_device/device.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number of so many bytes at that place. */
struct number {
	const char *name;
	size_t offset, bytes;
};

#define NUMBER(type, name, field) \
	{ name, offsetof(type, field), sizeof(((type *)0)->field) }
#define OF_DEVICE(name, field) NUMBER(struct vd_device_setup, name, field)
#define OF_PORT(name, field) NUMBER(struct vd_port_setup, name, attr.field)
#define OF_ADVERSE(name, field) NUMBER(struct vd_adverse, name, field)
#define OF_MODEL(name, field) NUMBER(struct vd_model, name, field)
#define OF_FAIL(name, field) NUMBER(struct vd_fail, name, field)
#define OF_MISHAP(name, field) NUMBER(struct vd_mishap, name, field)

static const struct number device_numbers[] = {
	OF_DEVICE("ports", attr.phys_port_cnt),
	OF_DEVICE("max_qp", attr.max_qp),
	OF_DEVICE("max_qp_wr", attr.max_qp_wr),
	OF_DEVICE("max_cq", attr.max_cq),
	OF_DEVICE("max_cqe", attr.max_cqe),
	OF_DEVICE("max_mr", attr.max_mr),
	OF_DEVICE("max_srq", attr.max_srq),
	OF_DEVICE("max_srq_wr", attr.max_srq_wr),
	OF_DEVICE("max_ah", attr.max_ah),
	OF_DEVICE("max_rd_atom", attr.max_qp_rd_atom),
	OF_DEVICE("max_init_rd_atom", attr.max_qp_init_rd_atom),
	OF_DEVICE("atomics", attr.atomic_cap),
	OF_DEVICE("max_inline", max_inline),
	OF_DEVICE("max_sge", max_sge),
	OF_DEVICE("ece", ece),
	OF_DEVICE("vendor", attr.vendor_id),
	OF_DEVICE("part", attr.vendor_part_id),
	OF_DEVICE("vectors", vectors),
	OF_DEVICE("in_order", in_order),
	OF_DEVICE("keeps", keeps),
	OF_DEVICE("iwarp", iwarp)
};
static const struct number port_numbers[] = {
	OF_PORT("state", state),
	OF_PORT("lid", lid),
	OF_PORT("mtu", active_mtu),
	OF_PORT("width", active_width),
	OF_PORT("speed", active_speed),
	OF_PORT("max_msg", max_msg_sz),
	OF_PORT("flags", flags),
	NUMBER(struct vd_port_setup, "foreign", foreign)
};
static const struct number adverse_numbers[] = {
	OF_ADVERSE("reorder", reorder),
	OF_ADVERSE("delay", delay_us),
	OF_ADVERSE("packets", packets),
	OF_ADVERSE("late", late),
	OF_ADVERSE("reads", reads),
	OF_ADVERSE("completions", completions),
	OF_ADVERSE("unready", unready),
	OF_ADVERSE("lost", lost),
	OF_ADVERSE("doubled", doubled),
	OF_ADVERSE("delayed", delayed),
	OF_ADVERSE("seed", seed)
};
static const struct number model_numbers[] = {
	OF_MODEL("latency", latency_ns),
	OF_MODEL("rate", rate),
	OF_MODEL("request", request_ns),
	OF_MODEL("doorbell", doorbell_ns),
	OF_MODEL("registration", registration_ns),
	OF_MODEL("page", page_ns)
};
static const struct number fail_numbers[] = {
	OF_FAIL("n", n),
	OF_FAIL("times", times),
	OF_FAIL("errno", error),
	OF_FAIL("rank", rank)
};
static const struct number mishap_numbers[] = {
	OF_MISHAP("event", event),
	OF_MISHAP("host", host),
	OF_MISHAP("device", device),
	OF_MISHAP("port", port),
	OF_MISHAP("after", after_us),
	OF_MISHAP("for", for_us),
	OF_MISHAP("down", down),
	OF_MISHAP("oneself", oneself),
	OF_MISHAP("moves", moves),
	OF_MISHAP("lids", lids)
};

static void store(void *at, size_t bytes, uint64_t value)
{
	if (bytes == 1)
		*(uint8_t *)at = (uint8_t)value;
	else if (bytes == 2)
		*(uint16_t *)at = (uint16_t)value;
	else if (bytes == 4)
		*(uint32_t *)at = (uint32_t)value;
	else
		*(uint64_t *)at = value;
}

/* False: it is none of these. */
static bool set_number(void *of, const struct number *table, size_t n,
		       const char *name, const char *value)
{
	char *end;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(table[i].name, name))
			continue;
		store((char *)of + table[i].offset, table[i].bytes,
		      strtoull(value, &end, 0));
		if (!*value || *end)
			vd_die("%s=%s is no number", name, value);
		return true;
	}
	return false;
}

#define SET(of, table, name, value) \
	set_number(of, table, sizeof(table) / sizeof((table)[0]), name, value)

static void device_word(struct vd_device_setup *d, const char *name,
			char *value)
{
	if (!strcmp(name, "name"))
		snprintf(d->name, sizeof(d->name), "%s", value);
	else if (!strcmp(name, "sysfs"))
		snprintf(d->sysfs, sizeof(d->sysfs), "%s", value);
	else if (!SET(d, device_numbers, name, value))
		vd_unknown(name);
}

/* KIND/ADDRESS: ib, v1 or v2. */
void vd_add_gid(struct vd_port_setup *p, char *value)
{
	struct ibv_gid_entry *e = &p->gid[p->ngids];
	char *slash = strchr(value, '/');

	if (p->ngids++ == VD_TABLE || !slash)
		vd_die("gid=%s: KIND/ADDRESS, at most %d", value, VD_TABLE);
	*slash = '\0';
	e->gid_index = (uint32_t)p->ngids - 1;
	e->gid_type = !strcmp(value, "v1") ? IBV_GID_TYPE_ROCE_V1 :
		      !strcmp(value, "v2") ? IBV_GID_TYPE_ROCE_V2 :
					     IBV_GID_TYPE_IB;
	if (inet_pton(AF_INET6, slash + 1, e->gid.raw) != 1)
		vd_die("gid=.../%s is no address", slash + 1);
}

static void port_word(struct vd_port_setup *p, const char *name, char *value)
{
	if (!strcmp(name, "link")) {
		p->attr.link_layer = !strcmp(value, "eth") ?
			IBV_LINK_LAYER_ETHERNET : IBV_LINK_LAYER_INFINIBAND;
	} else if (!strcmp(name, "gid")) {
		vd_add_gid(p, value);
	} else if (!strcmp(name, "pkey")) {
		if (p->npkeys == VD_TABLE)
			vd_die("more than %d partitions", VD_TABLE);
		p->pkey[p->npkeys++] = (uint16_t)strtoul(value, NULL, 0);
	} else if (!SET(p, port_numbers, name, value)) {
		vd_unknown(name);
	}
}

static const struct { const char *name; int value; } errors[] = {
	{ "ENOMEM", ENOMEM }, { "EAGAIN", EAGAIN }, { "EINVAL", EINVAL },
	{ "EIO", EIO }, { "EPERM", EPERM }, { "ETIMEDOUT", ETIMEDOUT },
	{ "EBUSY", EBUSY }, { "ENODEV", ENODEV },
	{ "EOPNOTSUPP", EOPNOTSUPP }
};

static void fail_word(struct vd_fail *f, const char *name, char *value)
{
	if (!strcmp(name, "call")) {
		snprintf(f->call, sizeof(f->call), "%s", value);
		return;
	}
	for (size_t i = 0; !strcmp(name, "errno") &&
	     i < sizeof(errors) / sizeof(errors[0]); i++)
		if (!strcmp(errors[i].name, value)) {
			f->error = errors[i].value;
			return;
		}
	if (!SET(f, fail_numbers, name, value))
		vd_unknown(name);
}

void vd_word(struct vd_setup *s, const char *statement, const char *name,
	     char *value)
{
	struct vd_device_setup *last = s->device + s->ndevices;
	bool known = true;

	if (!strcmp(statement, "device"))
		device_word(last - 1, name, value);
	else if (!strncmp(statement, "port", 4))
		port_word(&last[-1].port[statement[4] == '2'], name, value);
	else if (!strcmp(statement, "fail"))
		fail_word(&s->fail[s->nfails - 1], name, value);
	else if (!strcmp(statement, "mishap"))
		known = SET(&s->mishap[s->nmishaps - 1], mishap_numbers, name,
			    value);
	else if (!strcmp(statement, "time"))
		known = SET(&s->model, model_numbers, name, value);
	else
		known = SET(&s->adverse, adverse_numbers, name, value);
	if (!known)
		vd_unknown(name);
}
