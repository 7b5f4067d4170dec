// SPDX-License-Identifier: BSD-3-Clause
//
// The same in C++11: handles, envelopes, callbacks and constants of the library.
#include <cstdint>
#include <cstdio>
#include <vector>
#include <weft.h>

static int deleted;

extern "C" {
static int remove_value(weft_comm *, weft_keyval *, void *, void *)
{
	deleted++;
	return WEFT_OK;
}
}

static bool has_attribute(weft_comm *world, weft_job *job)
{
	weft_keyval *key = nullptr;
	weft_comm *dup = nullptr;
	bool good = !weft_keyval_create(job, nullptr, remove_value, nullptr,
					&key) &&
		    !weft_comm_dup(world, &dup) &&
		    !weft_comm_set_attr(dup, key, &deleted);

	return !weft_comm_free(&dup) && !weft_keyval_free(&key) && good &&
	       deleted == 1;
}

static bool goes_round(weft_comm *world, int rank, int size)
{
	std::vector<int32_t> mine(100, rank), theirs(100, -1);
	weft_outgoing out = { mine.data(), mine.size(), &weft_type_int32,
			      weft_to((rank + 1) % size, 7) };
	weft_incoming in = { theirs.data(), theirs.size(), &weft_type_int32,
			     weft_from(WEFT_ANY_SOURCE, 7) };
	weft_message_status got;

	return !weft_sendrecv(world, &out, &in, &got) &&
	       got.source == (rank + size - 1) % size &&
	       theirs[99] == got.source;
}

int main()
{
	weft_job_options options;
	weft_job *job = nullptr;
	std::int64_t mine, sum = 0;

	weft_job_options_init(&options, sizeof(options));
	if (weft_job_open(&options, &job))
		return 1;
	weft_comm *world = weft_job_world(job);
	mine = weft_job_rank(job);
	bool good = has_attribute(world, job) &&
		    goes_round(world, weft_job_rank(job), weft_job_size(job)) &&
		    !weft_allreduce(world, &mine,
				    weft_part(&sum, 1, &weft_type_int64),
				    &weft_op_sum);
	if (good && mine == 0)
		std::printf("%d ranks, sum %lld\n", weft_job_size(job),
			    static_cast<long long>(sum));
	return weft_job_close(job) || !good;
}
