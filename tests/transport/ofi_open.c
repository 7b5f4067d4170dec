/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A libfabric that is not there, or fails while a device is opened: each of
 * its calls in turn.  One line of the log names the call, nothing stays behind,
 * and the next device opens.
 *
 * The linker leads wf_ofi_load() and dlopen() here (--wrap); the tables of the
 * objects that libfabric gives are replaced one after the other.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <rdma/fi_errno.h>
#include <string.h>
#include <weft/status.h>
#include "tests/fail_malloc.h"
#include "tests/transport/fixture.h"
#include "transport/backends.h"
#include "transport/ofi/ofi.h"

#define SEEN __attribute__((visibility("default")))

int __real_wf_ofi_load(struct wf_ofi_lib *lib_p, char *why, size_t why_bytes);
int __wrap_wf_ofi_load(struct wf_ofi_lib *lib_p, char *why, size_t why_bytes);
void *__real_dlopen(const char *file, int mode);
SEEN void *__wrap_dlopen(const char *file, int mode);
void *__real_aligned_alloc(size_t align, size_t bytes);
SEEN void *__wrap_aligned_alloc(size_t align, size_t bytes);

enum call {
	NONE, GETINFO, HINTS, COPY, FABRIC, DOMAIN, CQ, GETWAIT, AV, ENDPOINT,
	BIND, SETOPT, ENABLE, RECVMSG, REG, REG_ENABLE, LOAD, BUFFERS,
	RECEIVES, LAYER
};

static struct fixture f;
static enum call failing;
static int failed_with;
static struct fid_mr *taken;
static struct wf_ofi_lib lib;
static char *layer;			/* in the provider's name, or NULL */

/* The tables of libfabric, and ours. */
static struct fi_ops_fabric real_fabric, our_fabric;
static struct fi_ops_domain real_domain, our_domain;
static struct fi_ops real_cq, our_cq, real_fid, our_fid;
static struct fi_ops_ep real_ep, our_ep;
static struct fi_ops_msg real_msg, our_msg;

/* Behind the last one: ofi_rxm (1.17) cannot close one that is not bound. */
static int bind_ep(struct fid *fid, struct fid *other, uint64_t flags)
{
	int result = real_fid.bind(fid, other, flags);

	return failing == BIND && other->fclass == FI_CLASS_AV ? failed_with :
								 result;
}

static int control_ep(struct fid *fid, int command, void *arg)
{
	return failing == ENABLE ? failed_with :
				   real_fid.control(fid, command, arg);
}

/* The first that is closed; what holds the domain open goes with it. */
static int close_ep(struct fid *fid)
{
	if (taken)
		TAP_EQUAL(fi_close(&taken->fid), 0);
	taken = NULL;
	return real_fid.close(fid);
}

static int set_option(struct fid *fid, int level, int name, const void *value,
		      size_t n)
{
	return failing == SETOPT ? failed_with :
				   real_ep.setopt(fid, level, name, value, n);
}

static ssize_t receive(struct fid_ep *ep, const struct fi_msg *msg,
		       uint64_t flags)
{
	return failing == RECVMSG ? failed_with :
				    real_msg.recvmsg(ep, msg, flags);
}

static int make_ep(struct fid_domain *domain, struct fi_info *info,
		   struct fid_ep **ep_p, void *context)
{
	int result;

	if (layer)
		*layer = ';';
	result = failing == ENDPOINT ? failed_with :
			real_domain.endpoint(domain, info, ep_p, context);
	if (result)
		return result;
	real_fid = our_fid = *(*ep_p)->fid.ops;
	our_fid.close = close_ep;
	our_fid.bind = bind_ep;
	our_fid.control = control_ep;
	(*ep_p)->fid.ops = &our_fid;
	real_ep = our_ep = *(*ep_p)->ops;
	our_ep.setopt = set_option;
	(*ep_p)->ops = &our_ep;
	real_msg = our_msg = *(*ep_p)->msg;
	our_msg.recvmsg = receive;
	(*ep_p)->msg = &our_msg;
	return 0;
}

static int control_cq(struct fid *fid, int command, void *arg)
{
	return failing == GETWAIT ? failed_with :
				    real_cq.control(fid, command, arg);
}

static int make_cq(struct fid_domain *domain, struct fi_cq_attr *attr,
		   struct fid_cq **cq_p, void *context)
{
	int result = failing == CQ ? failed_with :
			real_domain.cq_open(domain, attr, cq_p, context);

	if (result)
		return result;
	real_cq = our_cq = *(*cq_p)->fid.ops;
	our_cq.control = control_cq;
	(*cq_p)->fid.ops = &our_cq;
	return 0;
}

static int make_av(struct fid_domain *domain, struct fi_av_attr *attr,
		   struct fid_av **av_p, void *context)
{
	if (failing == LAYER && layer)
		*layer = 0;
	return failing == AV ? failed_with :
			real_domain.av_open(domain, attr, av_p, context);
}

/* The key that the segment will get is taken: libfabric refuses it then. */
static int take_key(struct fid_domain *domain)
{
	size_t bytes = sizeof(f.rank[0].blob.key);

	return fi_mr_reg(domain, &f.rank[0].blob.key, bytes, FI_REMOTE_READ, 0,
			 f.rank[0].blob.key.word[1], 0, &taken, NULL);
}

static int make_domain(struct fid_fabric *fabric, struct fi_info *info,
		       struct fid_domain **domain_p, void *context)
{
	int result = failing == DOMAIN ? failed_with :
			real_fabric.domain(fabric, info, domain_p, context);

	if (result)
		return result;
	real_domain = our_domain = *(*domain_p)->ops;
	our_domain.endpoint = make_ep;
	our_domain.cq_open = make_cq;
	our_domain.av_open = make_av;
	(*domain_p)->ops = &our_domain;
	/* tcp's keys cannot be bound to an endpoint: that fails. */
	if (failing == REG_ENABLE)
		info->domain_attr->mr_mode |= FI_MR_ENDPOINT;
	return failing == REG ? take_key(*domain_p) : 0;
}

static int make_fabric(struct fi_fabric_attr *attr,
		       struct fid_fabric **fabric_p, void *context)
{
	int result = failing == FABRIC ? failed_with :
			lib.fabric(attr, fabric_p, context);

	layer = strchr(attr->prov_name, ';');
	if (result)
		return result;
	real_fabric = our_fabric = *(*fabric_p)->ops;
	our_fabric.domain = make_domain;
	(*fabric_p)->ops = &our_fabric;
	return 0;
}

static int get_info(uint32_t version, const char *node, const char *service,
		    uint64_t flags, const struct fi_info *hints,
		    struct fi_info **info)
{
	return failing == GETINFO ? failed_with :
			lib.getinfo(version, node, service, flags, hints,
				    info);
}

static struct fi_info *dup_info(const struct fi_info *info)
{
	return failing == (info ? COPY : HINTS) ? NULL : lib.dupinfo(info);
}

int __wrap_wf_ofi_load(struct wf_ofi_lib *lib_p, char *why, size_t why_bytes)
{
	int status = __real_wf_ofi_load(&lib, why, why_bytes);

	*lib_p = lib;
	lib_p->getinfo = get_info;
	lib_p->dupinfo = dup_info;
	lib_p->fabric = make_fabric;
	return status;
}

void *__wrap_dlopen(const char *file, int mode)
{
	return __real_dlopen(failing == LOAD ? "absent.so" : file, mode);
}

void *__wrap_aligned_alloc(size_t align, size_t bytes)
{
	if (failing == BUFFERS ||
	    (failing == RECEIVES && bytes == WF_OFI_RX * WF_OFI_RX_BYTES))
		return NULL;
	return __real_aligned_alloc(align, bytes);
}

/* ---- the cases ---- */

struct heard {
	const char *call;
	int lines, naming;
};

static void hear(void *arg, const char *line, size_t n)
{
	struct heard *h = arg;

	h->lines++;
	h->naming += h->call && memmem(line, n, h->call, strlen(h->call));
}

static int descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (dir && readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* The one rank has a device already, which has shown that it can be opened. */
static void start(void)
{
	failing = NONE;
	fixture_open(&f, 1, 1);
}

static void stop(void)
{
	failing = NONE;
	f.rank[0].log.level = WF_LOG_ERROR;
	fixture_close(&f);
}

static void open_fails(enum call call, const char *name, int result,
		       int expected)
{
	struct heard h = { .call = name };
	struct wf_device *dev = NULL;
	int before = descriptors();

	f.rank[0].log.write = hear;
	f.rank[0].log.arg = &h;
	failing = call;
	failed_with = result;
	if (!TAP_EQUAL(wf_ofi_tp.open(&f.rank[0].env, &dev), expected))
		tap_diag("where %s fails", name ? name : "what has no name");
	failing = NONE;
	TAP_CHECK(!dev);
	TAP_EQUAL(descriptors(), before);
	TAP_EQUAL(h.lines, name ? 1 : 0);
	TAP_EQUAL(h.naming, h.lines);
	TAP_EQUAL(wf_ofi_tp.open(&f.rank[0].env, &dev), WEFT_OK);
	if (dev)
		dev->ops->close(dev);
}

static void calls(void)
{
	static const struct {
		enum call call;
		const char *name;
	} all[] = {
		{ FABRIC, "fi_fabric" }, { DOMAIN, "fi_domain" },
		{ CQ, "fi_cq_open" }, { AV, "fi_av_open" },
		{ ENDPOINT, "fi_endpoint" }, { BIND, "fi_enable" },
		{ SETOPT, "fi_enable" }, { ENABLE, "fi_enable" },
		{ RECVMSG, "fi_recvmsg" }
	};

	start();
	for (int i = 0; i < TAP_COUNT(all); i++) {
		open_fails(all[i].call, all[i].name, -FI_EIO,
			   WEFT_ERR_DEVICE);
		open_fails(all[i].call, all[i].name, -FI_ENOMEM,
			   WEFT_ERR_NOMEM);
	}
	stop();
}

/* The errors are those of libfabric. */
static void keys(void)
{
	start();
	open_fails(REG_ENABLE, "fi_mr_enable", 0, WEFT_ERR_DEVICE);
	open_fails(REG, "fi_mr_reg", 0, WEFT_ERR_DEVICE);
	stop();
}

static void no_memory(void)
{
	struct wf_device *dev = NULL;

	start();
	open_fails(HINTS, NULL, 0, WEFT_ERR_NOMEM);
	open_fails(COPY, NULL, 0, WEFT_ERR_NOMEM);
	open_fails(BUFFERS, NULL, 0, WEFT_ERR_NOMEM);
	open_fails(RECEIVES, "fi_recvmsg", 0, WEFT_ERR_NOMEM);
	fail_malloc_at(1);
	TAP_EQUAL(wf_ofi_tp.open(&f.rank[0].env, &dev), WEFT_ERR_NOMEM);
	fail_malloc_at(0);
	TAP_CHECK(!dev);
	stop();
}

/* A queue that cannot be slept with is taken all the same. */
static void no_descriptor(void)
{
	struct wf_device *dev = NULL;
	int ms = 100;

	start();
	failing = GETWAIT;
	failed_with = -FI_ENOSYS;
	TAP_EQUAL(wf_ofi_tp.open(&f.rank[0].env, &dev), WEFT_OK);
	TAP_CHECK(f.rank[0].config.ofi_wait);
	TAP_EQUAL(dev->ops->descriptor(dev), -1);
	TAP_CHECK(!(dev->caps & WF_CAP_LINE_WAKES));
	TAP_EQUAL(dev->ops->arm(dev, &ms), WEFT_OK);
	TAP_EQUAL(ms, 1);
	dev->ops->disarm(dev);
	dev->ops->close(dev);
	stop();
}

/*
 * tcp may have a name without a layer, as it has since 1.18: its connections,
 * too, are made anew without a word, so there are guards, and nothing is posted
 * that has no completion.
 */
static void made_anew(void)
{
	struct wf_device *dev = NULL;

	start();
	failing = LAYER;
	if (TAP_EQUAL(wf_ofi_tp.open(&f.rank[0].env, &dev), WEFT_OK)) {
		TAP_CHECK(wf_ofi_dev(dev)->guarded);
		TAP_EQUAL(wf_ofi_dev(dev)->inject, 0);
		dev->ops->close(dev);
	}
	stop();
}

static void query_says(enum call call, const char *text)
{
	char why[200] = "";

	failing = call;
	failed_with = -FI_ENODATA;
	TAP_EQUAL(wf_ofi_tp.query(&f.rank[0].env, why, sizeof(why)),
		  WEFT_ERR_UNSUPPORTED);
	failing = NONE;
	if (!TAP_CHECK(strstr(why, text)))
		tap_diag("%s", why);
}

static void queries(void)
{
	char *const *environ = fixture_backend.environ;
	char why[200] = "";

	start();
	TAP_CHECK(environ);
	query_says(LOAD, "libfabric cannot be loaded: absent.so");
	query_says(GETINFO, "no provider that fits; WEFT_OFI_PROVIDER is tcp");
	query_says(HINTS, "no memory");
	query_says(COPY, "no memory");
	TAP_EQUAL(wf_ofi_tp.query(&f.rank[0].env, why, sizeof(why)), WEFT_OK);
	/* Nobody wants it inside a node. */
	strcpy(f.rank[0].config.transport, "shm,^x");
	query_says(NONE, "all ranks are on one node");
	strcpy(f.rank[0].config.transport, "^ofi");
	query_says(NONE, "all ranks are on one node");
	stop();
}

/* Each own address has receive buffers when it has an endpoint. */
static void memory(void)
{
	struct wf_tp_memory one, two;
	struct wf_ofi dev;

	fixture_open(&f, 1, 9);
	dev = *wf_ofi_dev(f.rank[0].dev);
	wf_ofi_tp.memory(&dev.dev, &one);
	dev.source[dev.nsources++].buffers = NULL;
	wf_ofi_tp.memory(&dev.dev, &two);
	TAP_EQUAL(two.fixed, one.fixed);
	dev.source[1].buffers = dev.source[0].buffers;
	wf_ofi_tp.memory(&dev.dev, &two);
	TAP_EQUAL(two.fixed - one.fixed, WF_OFI_RX * WF_OFI_RX_BYTES);
	fixture_close(&f);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "each call of the set-up fails", calls },
		{ "a key is taken, or cannot be bound", keys },
		{ "no memory for a device", no_memory },
		{ "a queue without a descriptor", no_descriptor },
		{ "connections that are made anew without a word",
		  made_anew },
		{ "why it cannot be used", queries },
		{ "memory of own addresses", memory },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
