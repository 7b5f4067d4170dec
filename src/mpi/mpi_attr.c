/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of keys of attributes. */
#include "mpi/mpi_attr.h"

#include <stdlib.h>

#include "base/zeroed.h"
#include "mpi/error.h"

enum {
	FIRST = MPI_ERR_LASTCODE + 2	/* all below are the ABI's */
};

static struct {
	pthread_mutex_t lock;
	struct wf_mpi_key **key;
	int n, room;
} keys = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool grow(void)
{
	int room = keys.room ? 2 * keys.room : 16;
	struct wf_mpi_key **key = realloc(keys.key,
					  (size_t)room * sizeof(*key));

	if (!key)
		return false;
	keys.key = key;
	keys.room = room;
	return true;
}

struct wf_mpi_key *wf_mpi_key_new(void)
{
	struct wf_mpi_key *key = wf_zeroed(1, sizeof(*key));

	pthread_mutex_lock(&keys.lock);
	if (key && keys.n == keys.room && !grow()) {
		free(key);
		key = NULL;
	}
	if (key) {
		key->number = FIRST + keys.n;
		keys.key[keys.n++] = key;
	}
	pthread_mutex_unlock(&keys.lock);
	return key;
}

struct wf_mpi_key *wf_mpi_key_of(int number)
{
	struct wf_mpi_key *key = NULL;

	pthread_mutex_lock(&keys.lock);
	if (number >= FIRST && number - FIRST < keys.n)
		key = keys.key[number - FIRST];
	pthread_mutex_unlock(&keys.lock);
	return key;
}

int wf_mpi_key_refuse(struct weft_comm *comm, int number, const char *call)
{
	return wf_mpi_refuse(comm, MPI_ERR_KEYVAL, "%s: keyval %d is none for "
			     "this, or was freed", call, number);
}

void wf_mpi_keys_drop(void)
{
	for (int i = 0; i < keys.n; i++)
		free(keys.key[i]);
	free(keys.key);
	keys.key = NULL;
	keys.n = keys.room = 0;
}
