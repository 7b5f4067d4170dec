/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the PMIx library must find before its first call, in a rank as in the
 * launcher.
 */
#ifndef WEFT_BOOT_PMIX_HOME_H
#define WEFT_BOOT_PMIX_HOME_H

/*
 * Up to PMIx 5 the library reads the home directory of its user without asking
 * whether there is one, and crashes under a number that has neither an entry
 * in passwd nor HOME, as containers give them. Then HOME becomes "/", as
 * container engines set it, and stays: the library may ask again.
 */
void wf_pmix_need_home(void);

#endif
