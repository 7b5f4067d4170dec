/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job whose ranks are of different kinds: rank 0 is the library, rank 1 a
 * thread that publishes a boot blob as another machine or version would. Rank
 * 0 refuses to open, and its sentence names both hosts.
 */
#include <pthread.h>
#include <unistd.h>

#include <weft.h>
#include "base/config.h"
#include "base/log.h"
#include "boot/blob.h"
#include "boot/boot.h"
#include "tests/tap.h"

enum oddity {
	ODD_NONE, ODD_VERSION, ODD_ORDER, ODD_SIZES, ODD_SETTINGS, ODD_DAMAGE,
	ODD_MISSING
};

struct other {
	struct weft_inproc *inproc;
	enum oddity oddity;
};

static void make_odd(struct wf_blob *blob, enum oddity oddity)
{
	switch (oddity) {
	case ODD_VERSION:
		blob->wire_version = WF_WIRE_VERSION + 1;
		break;
	case ODD_ORDER:
		blob->marks.order = 3 - blob->marks.order;
		break;
	case ODD_SIZES:
		blob->marks.long_bytes = 4;
		break;
	case ODD_SETTINGS:
		blob->settings++;
		break;
	default:
		break;
	}
}

static size_t pack_odd(const struct wf_config *config, enum oddity oddity,
		       uint8_t *packed)
{
	struct wf_identity id;
	struct wf_blob blob;
	char why[200];
	size_t n;

	if (wf_identity_read(&id, why, sizeof(why)))
		abort();
	strcpy(id.host, "faraway");
	wf_blob_init(&blob, &id, wf_config_hash(config));
	make_odd(&blob, oddity);
	n = wf_blob_pack(&blob, packed);
	if (oddity == ODD_DAMAGE)
		packed[n / 2] ^= 1;
	return n;
}

static void *other_rank(void *arg)
{
	const struct other *other = arg;
	uint8_t packed[WF_BLOB_BYTES_MAX];
	struct wf_config config;
	struct wf_log log;
	struct wf_boot_options options = {
		.size = sizeof(options), .config = &config, .log = &log,
		.inproc = other->inproc, .inproc_rank = 1,
	};
	struct wf_boot *boot;
	char why[200];
	size_t n;

	wf_log_init(&log, WF_LOG_ERROR, "");
	if (wf_config_read(&config, environ, why, sizeof(why)) ||
	    wf_boot_open(&options, &boot, why, sizeof(why)))
		abort();
	n = pack_odd(&config, other->oddity, packed);
	if (other->oddity != ODD_MISSING &&
	    wf_boot_put(boot, "blob", packed, n))
		abort();
	if (wf_boot_fence(boot) || wf_boot_close(boot))
		abort();
	return NULL;
}

/* What opening returns; what it writes to stderr goes into text. */
static int open_with(enum oddity oddity, char *text, size_t size)
{
	struct other other = { .oddity = oddity };
	struct weft_job_options options;
	struct weft_job *job = NULL;
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	pthread_t thread;
	int status;

	TAP_EQUAL(weft_inproc_create(2, &other.inproc), WEFT_OK);
	TAP_EQUAL(pthread_create(&thread, NULL, other_rank, &other), 0);
	weft_job_options_init(&options, sizeof(options));
	options.inproc = other.inproc;
	dup2(fileno(file), STDERR_FILENO);
	status = weft_job_open(&options, &job);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	text[fread(text, 1, size - 1, file)] = '\0';
	fclose(file);
	TAP_EQUAL(job != NULL, status == WEFT_OK);
	if (job)
		TAP_EQUAL(weft_job_close(job), WEFT_OK);
	pthread_join(thread, NULL);
	weft_inproc_free(&other.inproc);
	return status;
}

static void refused(enum oddity oddity, const char *words)
{
	char host[64] = "";
	char text[1000];

	gethostname(host, sizeof(host) - 1);
	TAP_EQUAL(open_with(oddity, text, sizeof(text)), WEFT_ERR_BOOT);
	if (!TAP_CHECK(strstr(text, words) != NULL) ||
	    (oddity < ODD_DAMAGE &&
	     !TAP_CHECK(strstr(text, host) && strstr(text, "faraway"))))
		tap_diag("%s", text);
}

static void one_kind(void)
{
	char text[1000];

	TAP_EQUAL(open_with(ODD_NONE, text, sizeof(text)), WEFT_OK);
	TAP_CHECK(text[0] == '\0');
}

static void other_version(void)
{
	refused(ODD_VERSION, "wire version");
}

static void other_order(void)
{
	refused(ODD_ORDER, "byte order");
}

static void other_sizes(void)
{
	refused(ODD_SIZES, "sizes of C types");
}

static void other_settings(void)
{
	refused(ODD_SETTINGS, "WEFT_* settings");
}

static void no_blob(void)
{
	refused(ODD_DAMAGE, "rank 1: the launcher's store returned a damaged");
	refused(ODD_MISSING, "rank 1: no boot blob");
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one kind", one_kind },
		{ "other version", other_version },
		{ "other order", other_order },
		{ "other sizes", other_sizes },
		{ "other settings", other_settings },
		{ "no blob", no_blob },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
