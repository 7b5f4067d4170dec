/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exit code of weft-info, from what the transports answer: here they are
 * ours, and find nothing, or what they may not open.
 */
#include "tests/tap.h"
#include "tools/weft-info/weft_info_devices.h"
#include "transport/backends.h"

static int finds_nothing(const struct wf_tp_env *env, char *why, size_t bytes)
{
	(void)env;
	snprintf(why, bytes, "no such hardware");
	return WEFT_ERR_UNSUPPORTED;
}

static int is_denied(const struct wf_tp_env *env, char *why, size_t bytes)
{
	(void)env;
	snprintf(why, bytes, "/dev/wire: permission denied");
	return WEFT_ERR_DEVICE;
}

static int is_there(const struct wf_tp_env *env, char *why, size_t bytes)
{
	(void)env;
	(void)why;
	(void)bytes;
	return WEFT_OK;
}

static int does_not_open(const struct wf_tp_env *env, struct wf_device **dev_p)
{
	(void)env;
	(void)dev_p;
	return WEFT_ERR_NOMEM;
}

static const struct wf_tp_ops nothing = {
	.name = "nothing", .query = finds_nothing
};
static const struct wf_tp_ops denied = {
	.name = "denied", .query = is_denied
};
static const struct wf_tp_ops broken = {
	.name = "broken", .query = is_there, .open = does_not_open
};

static void expect(const struct wf_tp_ops *const *tps, const char *only,
		   enum winfo_code code)
{
	struct winfo_devices devices;

	TAP_EQUAL(winfo_devices_ask(&devices, tps, only), code);
	TAP_EQUAL(winfo_devices_code(&devices), code);
	winfo_devices_free(&devices);
}

static void none_is_usable(void)
{
	static const struct wf_tp_ops *const none[] = { NULL };
	static const struct wf_tp_ops *const some[] = { &nothing, NULL };

	expect(none, NULL, WINFO_NO_DEVICE);
	expect(some, NULL, WINFO_NO_DEVICE);
}

static void a_device_is_denied(void)
{
	static const struct wf_tp_ops *const tps[] = {
		&nothing, &denied, &nothing, NULL
	};

	expect(tps, NULL, WINFO_NO_PERMISSION);
	expect(tps, "denied", WINFO_NO_PERMISSION);
	expect(tps, "nothing", WINFO_NO_DEVICE);
}

static void another_is_usable(void)
{
	static const struct wf_tp_ops *const tps[] = {
		&denied, &wf_shm_tp, &nothing, NULL
	};

	expect(tps, NULL, WINFO_USABLE);
	expect(tps, "denied", WINFO_NO_PERMISSION);
}

/* Why is told, also where the transport has no sentence for it. */
static void it_does_not_open(void)
{
	static const struct wf_tp_ops *const tps[] = { &broken, NULL };
	struct winfo_devices devices;

	TAP_EQUAL(winfo_devices_ask(&devices, tps, NULL), WINFO_NO_PERMISSION);
	for (int i = 0; i < WINFO_JOBS; i++)
		TAP_CHECK(strstr(devices.transport[0].answer[i].why,
				 "cannot be opened"));
	winfo_devices_free(&devices);
}

static void a_setting_is_bad(void)
{
	static const struct wf_tp_ops *const tps[] = { &wf_shm_tp, NULL };
	struct winfo_devices devices;

	setenv("WEFT_SPIN", "often", 1);
	TAP_EQUAL(winfo_devices_ask(&devices, tps, NULL), WINFO_BAD_OPTION);
	winfo_devices_free(&devices);
	unsetenv("WEFT_SPIN");
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "none is usable", none_is_usable },
		{ "a device that may not be opened", a_device_is_denied },
		{ "another one is usable", another_is_usable },
		{ "a device that does not open", it_does_not_open },
		{ "a setting with a bad value", a_setting_is_bad }
	};

	unsetenv("WEFT_TRANSPORT");
	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
