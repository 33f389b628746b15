/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "cinterposition.h"

#include <dlfcn.h>
#include <stddef.h>

const char *interposition_file_of(const void *symbol)
{
    Dl_info info;
    return symbol != NULL && dladdr(symbol, &info) != 0 ? info.dli_fname : NULL;
}
