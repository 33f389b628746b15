/* SPDX-License-Identifier: Apache-2.0
 *
 * What adder.c does when an edit starts, by names at compile time. STORED_MODE: its mode, whatever the stored recipe
 * says; TELLS_LIBRARIES: it logs which libraries are loaded, and wants _GNU_SOURCE.
 */
#include <editing_extension.h>
#include <string.h>

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
