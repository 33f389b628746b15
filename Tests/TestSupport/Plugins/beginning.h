/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions of adder.c in its entry and when an edit starts, selected by macros. CRASHES_IN_ENTRY: the entry crashes.
 * CRASHES_WHILE_LOADING: a thread crashes while another one holds the loader's lock.
 * REASON: the entry prints it, or logs it if LOGS is 1, and returns NULL. STORED_MODE: the mode that replaces the one in a stored
 * recipe. TELLS_LIBRARIES: logs the loaded libraries; requires _GNU_SOURCE. TELLS_PROFILES: logs the sizes of the input
 * pictures' profiles.
 */
#include <editing_extension.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <vips/vips.h>

#ifdef CRASHES_IN_ENTRY
#define ENTER(host) raise(SIGSEGV)
#elif defined REASON
static const ee_entry *refuse(const ee_host *host)
{
    if (LOGS)
        host->log(host, REASON);
    else
        fprintf(stderr, "%s\n", REASON);
    return NULL;
}
#define ENTER(host) return refuse(host)
#endif

#ifdef CRASHES_WHILE_LOADING
static void *crash(void *data)
{
    raise(SIGSEGV);
    return data;
}

__attribute__((constructor)) static void wait_for_crash(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, crash, NULL) == 0)
        pthread_join(thread, NULL);
}
#endif

#ifdef TELLS_LIBRARIES
#include <link.h>

static int tell_library(struct dl_phdr_info *library, size_t size, void *data)
{
    const ee_host *host = data;
    (void)size;
    host->log(host, library->dlpi_name);
    return 0;
}
#endif

static void tell_profile(const ee_host *host, const char *name, VipsImage *image)
{
#ifdef TELLS_PROFILES
    const void *profile = NULL;
    size_t size = 0;
    if (vips_image_get_typeof(image, VIPS_META_ICC_NAME))
        vips_image_get_blob(image, VIPS_META_ICC_NAME, &profile, &size);
    char line[80];
    snprintf(line, sizeof line, "profile of %s: %zu", name, size);
    host->log(host, line);
#else
    (void)host, (void)name, (void)image;
#endif
}

static void begin_otherwise(const ee_host *host, const ee_input *input, char *mode)
{
    (void)host, (void)input, (void)mode;
#ifdef TELLS_LIBRARIES
    dl_iterate_phdr(tell_library, (void *)host);
#endif
#ifdef STORED_MODE
    if (input->adjustment)
        strcpy(mode, STORED_MODE);
#endif
}
