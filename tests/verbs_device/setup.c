/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads VERBS_DEVICE, a text or the name of a file with one (@FILE).  A word it
 * does not know ends the process: a test must not pass because of a slip.
 *
 * Statements end with a line or a semicolon: a word, then NAME=VALUE.
 */
#include "tests/verbs_device/device.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	TEXT = 1 << 14
};

static struct vd_setup setup;		/* that is read */
static struct vd_setup of_host[VD_HOSTS];
static int mine;			/* the own host */
static char given[TEXT];		/* the text they were read from */
static pthread_once_t once = PTHREAD_ONCE_INIT;

void vd_die(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	fputs("verbs device: ", stderr);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	va_end(list);
	abort();
}

void vd_unknown(const char *name)
{
	vd_die("VERBS_DEVICE does not know %s", name);
}

static void add_device(void)
{
	struct vd_device_setup *d = &setup.device[setup.ndevices];

	if (setup.ndevices++ == VD_DEVICES)
		vd_die("more than %d devices", VD_DEVICES);
	*d = (struct vd_device_setup){ .max_inline = 220, .max_sge = VD_SGES,
					.ece = 5, .vectors = 1 };
	snprintf(d->name, sizeof(d->name), "test_%d", setup.ndevices - 1);
	d->attr = (struct ibv_device_attr){
		.phys_port_cnt = 1, .max_qp = VD_QPS, .max_qp_wr = 16384,
		.max_sge = VD_SGES, .max_cq = VD_CQS, .max_cqe = 1 << 20,
		.max_mr = VD_MRS, .max_pd = 1 << 16, .max_srq = 256,
		.max_srq_wr = 32767, .max_srq_sge = VD_SGES,
		.max_ah = 1 << 16, .max_mr_size = UINT64_MAX,
		.max_qp_rd_atom = 16, .max_qp_init_rd_atom = 16,
		.atomic_cap = IBV_ATOMIC_HCA, .max_pkeys = VD_TABLE
	};
	for (int i = 0; i < VD_PORTS; i++)
		d->port[i].attr = (struct ibv_port_attr){
			.state = IBV_PORT_ACTIVE, .max_mtu = IBV_MTU_4096,
			.active_mtu = IBV_MTU_4096, .max_msg_sz = 1u << 30,
			.lid = (uint16_t)(16 * (2 * setup.ndevices + i)),
			.active_width = 2, .active_speed = 64,
			.link_layer = IBV_LINK_LAYER_INFINIBAND
		};
}

static void begin(const char *statement, char *value)
{
	if (!strcmp(statement, "device")) {
		add_device();
	} else if (!strcmp(statement, "fail")) {
		if (setup.nfails == VD_FAILS)
			vd_die("more than %d failing calls", VD_FAILS);
		setup.fail[setup.nfails++] = (struct vd_fail){
			.n = 1, .times = 1, .error = ENOMEM, .rank = -1
		};
	} else if (!strcmp(statement, "mishap")) {
		if (setup.nmishaps == VD_MISHAPS)
			vd_die("more than %d mishaps", VD_MISHAPS);
		setup.mishap[setup.nmishaps++] = (struct vd_mishap){
			.event = IBV_EVENT_PORT_ERR, .port = 1
		};
	} else if (!strcmp(statement, "world")) {
		snprintf(setup.world, sizeof(setup.world), "%s",
			 value ? value : "");
	} else if (!strcmp(statement, "hosts")) {
		setup.hosts = value ? atoi(value) : 0;
		if (setup.hosts < 1 || setup.hosts > VD_HOSTS)
			vd_die("1 to %d hosts", VD_HOSTS);
	} else if (strcmp(statement, "adverse") && strcmp(statement, "time") &&
		   strncmp(statement, "port", 4)) {
		vd_unknown(statement);
	}
}

/* "only N": what follows is of that host, until the next one. */
static bool is_of_others(const char *name, const char *host)
{
	if (strcmp(name, "only"))
		return setup.others;
	setup.others = !host || atoi(host) != setup.host;
	return true;
}

/* "world FILE" and "hosts N" have no names. */
static void statement(char *text)
{
	char *rest, *name = strtok_r(text, " \t", &rest), *first, *value;
	bool plain;

	if (!name || *name == '#')
		return;
	first = strtok_r(NULL, " \t", &rest);
	if (is_of_others(name, first))
		return;
	plain = !strcmp(name, "world") || !strcmp(name, "hosts");
	if (!setup.ndevices && (!strncmp(name, "port", 4)))
		add_device();
	begin(name, plain ? first : NULL);
	for (char *w = first; w && !plain; w = strtok_r(NULL, " \t", &rest)) {
		value = strchr(w, '=');
		if (!value)
			vd_die("%s: %s is not NAME=VALUE", name, w);
		*value = '\0';
		vd_word(&setup, name, w, value + 1);
	}
}

static void read_text(const char *from, char *text)
{
	FILE *file;
	size_t n;

	if (*from != '@') {
		snprintf(text, TEXT, "%s", from);
		return;
	}
	file = fopen(from + 1, "r");
	if (!file)
		vd_die("%s: %s", from + 1, strerror(errno));
	n = fread(text, 1, TEXT - 1, file);
	text[n] = '\0';
	fclose(file);
}

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 14695981039346656037u;

	while (*text)
		hash = (hash ^ (uint8_t)*text++) * 1099511628211u;
	return hash;
}

/* What each port has that was given nothing else. */
static void complete_port(struct vd_device_setup *d, int i)
{
	struct vd_port_setup *p = &d->port[i];
	bool ethernet = p->attr.link_layer == IBV_LINK_LAYER_ETHERNET;
	char gid[64];

	if (!p->ngids) {
		snprintf(gid, sizeof(gid), ethernet ? "v2/::ffff:10.%d.%d.0" :
			 "ib/fe80::%d:%d:0", (int)(d - setup.device) + 1, i);
		vd_add_gid(p, gid);
	}
	if (!p->npkeys)
		p->pkey[p->npkeys++] = 0xffff;
	for (int k = 0; k < p->ngids; k++)
		p->gid[k].port_num = (uint32_t)i + 1;
	if (ethernet)
		p->attr.lid = 0;
	p->attr.gid_tbl_len = p->ngids;
	p->attr.pkey_tbl_len = (uint16_t)p->npkeys;
}

/* As it is for the host of this number. */
static void read_setup(int host)
{
	const char *rank = getenv(getenv("PMI_FD") ? "PMI_RANK" : "PMIX_RANK");
	static char text[TEXT];
	char *rest;

	setup = (struct vd_setup){
		.hosts = 1, .host = host, .rank = rank ? atoi(rank) : 0,
		.adverse = { .delay_us = 300 }
	};
	memcpy(text, given, sizeof(text));
	setup.hash = hash_of(text);
	for (char *s = strtok_r(text, ";\n", &rest); s;
	     s = strtok_r(NULL, ";\n", &rest))
		statement(s);
	if (!setup.ndevices)
		add_device();
	for (int i = 0; i < setup.ndevices; i++)
		for (int k = 0; k < VD_PORTS; k++)
			complete_port(&setup.device[i], k);
	of_host[host] = setup;
}

static void read_all(void)
{
	int host = 0;

	do
		read_setup(host);
	while (++host < setup.hosts);
	mine = vd_host_of(&setup);
}

static void read_first(void)
{
	const char *from = getenv("VERBS_DEVICE");

	read_text(from ? from : "", given);
	read_all();
}

struct vd_setup *vd_setup(void)
{
	pthread_once(&once, read_first);
	return &of_host[mine];
}

const struct vd_device_setup *vd_device_of(int host, int device)
{
	pthread_once(&once, read_first);
	return &of_host[host].device[device];
}

/* A process may try one after the other; true: this is another one. */
bool vd_setup_again(void)
{
	const char *from = getenv("VERBS_DEVICE");
	static char now[TEXT];

	vd_setup();
	read_text(from ? from : "", now);
	if (!strcmp(now, given))
		return false;
	memcpy(given, now, sizeof(given));
	read_all();
	return true;
}

/* Ranks go around the hosts. */
int vd_host_of(const struct vd_setup *s)
{
	return s->rank % s->hosts;
}
