/* SPDX-License-Identifier: BSD-3-Clause */
/* A sparse exchange in which this rank gives one message. */
#ifndef WEFT_TOPO_LONE_MAIL_H
#define WEFT_TOPO_LONE_MAIL_H

#include <stdlib.h>
#include <weft/sparse.h>
#include "base/zeroed.h"

struct wf_lone_mail {
	struct weft_sparse sparse;	/* to be sent; it points here: */
	int to;
	size_t bytes;
	void *content;			/* zeros at first */
};

/* WEFT_ERR_NOMEM. */
static inline int wf_lone_mail_make(struct wf_lone_mail *mail, int to,
				    size_t bytes)
{
	mail->to = to;
	mail->bytes = bytes;
	mail->content = wf_zeroed(1, bytes);
	if (!mail->content)
		return WEFT_ERR_NOMEM;
	mail->sparse = (struct weft_sparse){
		1, &mail->to, &mail->bytes, mail->content
	};
	return WEFT_OK;
}

static inline void wf_lone_mail_free(struct wf_lone_mail *mail)
{
	free(mail->content);
	mail->content = NULL;
}

#endif
