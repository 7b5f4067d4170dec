/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sentence of each status of a completion: it says what failed, with whom,
 * what it means and what to check.
 */
#include <string.h>
#include "tests/tap.h"
#include "tests/unit/verbs_made.h"

enum {
	LAST = IBV_WC_TM_RNDV_INCOMPLETE
};

static char text[WF_VERBS_WHY];

static void tell(enum wf_verbs_what what, enum ibv_wc_status status)
{
	struct wf_verbs_request request = {
		.address = 0x7f0000001000, .key = 0x1ee7
	};
	struct wf_verbs_wr wr = { .mark.what = (uint8_t)what, .bytes = 4096,
				  .request = &request };
	struct ibv_wc wc = { .status = status, .vendor_err = 0x81 };

	wf_verbs_tell(made.ep, &wr, &wc, text);
}

static bool says(const char *part)
{
	bool holds = strstr(text, part);

	if (!TAP_CHECK(holds))
		tap_diag("\"%s\" lacks \"%s\"", text, part);
	return holds;
}

static void says_all(const char *whole)
{
	if (!TAP_CHECK(!strcmp(text, whole)))
		tap_diag("is:       %s", text);
}

/* What each of them has, whatever the status. */
static void names_the_path(enum ibv_wc_status status)
{
	char quoted[100];

	snprintf(quoted, sizeof(quoted), "status \"%s\", vendor error 0x81",
		 ibv_wc_status_str(status));
	says("a put of 4096 bytes to rank 5 on host n7 failed: ");
	says(quoted);
	says("device mlx5_0, GIDs 10.9.0.1 and 10.9.0.2, MTU 1024, traffic "
	     "class 106");
}

static void each_has_one(void)
{
	verbs_made_open();
	for (int status = 1; status <= LAST; status++) {
		tell(WF_VERBS_DO_PUT, (enum ibv_wc_status)status);
		names_the_path((enum ibv_wc_status)status);
		TAP_CHECK(!strstr(text, "does not know"));
		TAP_CHECK(!strstr(text, "(null)"));
	}
	verbs_made_close();
}

/* Of those about which weft can say something, no two say the same. */
static void each_is_its_own(void)
{
	char first[LAST + 1][WF_VERBS_WHY];

	verbs_made_open();
	for (int status = 1; status <= LAST; status++) {
		tell(WF_VERBS_DO_PUT, (enum ibv_wc_status)status);
		*strchr(text, ';') = '\0';
		strcpy(first[status], text);
		for (int i = 1; i < status; i++)
			TAP_CHECK(strstr(text, "weft does not use") ||
				  strcmp(first[i], text));
	}
	verbs_made_close();
}

static void unknown(void)
{
	verbs_made_open();
	tell(WF_VERBS_DO_PUT, (enum ibv_wc_status)(LAST + 1));
	names_the_path((enum ibv_wc_status)(LAST + 1));
	says("a status that this weft does not know: see the kernel log");
	verbs_made_close();
}

static void retry_exceeded(void)
{
	verbs_made_open();
	tell(WF_VERBS_DO_PUT, IBV_WC_RETRY_EXC_ERR);
	says_all("a put of 4096 bytes to rank 5 on host n7 failed: no answer "
		 "from the peer's device: its process has ended, its link is "
		 "down, packets are lost, or the MTU or the traffic class "
		 "does not fit the network; status \"transport retry counter "
		 "exceeded\", vendor error 0x81, device mlx5_0, GIDs 10.9.0.1 "
		 "and 10.9.0.2, MTU 1024, traffic class 106");
	/* The smaller one of both ends is that of the path. */
	made.ep->address.mtu = IBV_MTU_4096;
	made.dev.port.port.active_mtu = IBV_MTU_256;
	tell(WF_VERBS_DO_PUT, IBV_WC_RETRY_EXC_ERR);
	says(", MTU 256, ");
	verbs_made_close();
}

static void receiver_not_ready(void)
{
	verbs_made_open();
	tell(WF_VERBS_DO_MAIL, IBV_WC_RNR_RETRY_EXC_ERR);
	says("a mail of 4096 bytes to rank 5 on host n7 failed: the peer had "
	     "no receive buffer for too long: raise WEFT_IB_SRQ there or "
	     "WEFT_IB_RNR_RETRY here; status ");
	verbs_made_close();
}

/* A mail names no memory of the peer. */
static void whose_key(void)
{
	verbs_made_open();
	tell(WF_VERBS_DO_GET, IBV_WC_REM_ACCESS_ERR);
	says("a get of 4096 bytes to rank 5 on host n7 failed: the peer's "
	     "device refused the address or its key: memory that the peer has "
	     "not registered, or has released; or its process is ending; "
	     "address 0x7f0000001000, key 0x1ee7 that rank 5 gave; status ");
	tell(WF_VERBS_DO_MAIL, IBV_WC_REM_ACCESS_ERR);
	TAP_CHECK(!strstr(text, "0x1ee7"));
	verbs_made_close();
}

static void local_length(void)
{
	verbs_made_open();
	tell(WF_VERBS_DO_PUT, IBV_WC_LOC_LEN_ERR);
	says("longer than the device sends or its receive buffer takes; the "
	     "port sends 1073741824 bytes at most; status ");
	verbs_made_close();
}

static void each_operation_has_a_name(void)
{
	verbs_made_open();
	for (int what = WF_VERBS_DO_MAIL; what <= WF_VERBS_DO_SIGNAL; what++) {
		tell((enum wf_verbs_what)what, IBV_WC_REM_OP_ERR);
		TAP_CHECK(!strstr(text, "an operation"));
	}
	verbs_made_close();
}

/* Long names of hosts and addresses push nothing out at its end. */
static void the_longest(void)
{
	verbs_made_open();
	memset(made.ep->host, 'n', WF_HOST_MAX);
	made.ep->ep.rank = 1 << 30;
	memset(made.dev.port.gids.gid[0], 0x2e, WF_VERBS_GID_BYTES);
	memset(made.ep->address.gids.gid[0], 0x2e, WF_VERBS_GID_BYTES);
	for (int status = 1; status <= LAST; status++) {
		tell(WF_VERBS_DO_LOCATE, (enum ibv_wc_status)status);
		says(", MTU 1024, traffic class 106");
	}
	verbs_made_close();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "each status has a sentence", each_has_one },
		{ "each sentence is its own", each_is_its_own },
		{ "a status that is unknown", unknown },
		{ "retry exceeded", retry_exceeded },
		{ "no receive buffer", receiver_not_ready },
		{ "remote access, and whose key", whose_key },
		{ "local length", local_length },
		{ "each operation has a name", each_operation_has_a_name },
		{ "the longest sentence is whole", the_longest }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
