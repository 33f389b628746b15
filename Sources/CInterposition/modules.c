/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "cinterposition.h"

#include <dlfcn.h>
#include <gmodule.h>
#include <string.h>

/* The libvips modules whose loaders and savers are used. */
static const char *const wanted[] = {"vips-heif.", "vips-jxl."};

/* Whether other modules are skipped. */
static bool is_choosing;

void interposition_choose_modules(bool choose) { is_choosing = choose; }

static int is_wanted(const char *name)
{
    for (size_t index = 0; index < sizeof wanted / sizeof wanted[0]; index++)
        if (strncmp(name, wanted[index], strlen(wanted[index])) == 0)
            return 1;
    return 0;
}

/* Returns whether a path is an unused module of libvips, in its folder vips-modules-MAJOR.MINOR. */
static int is_superfluous(const char *path)
{
    const char *name = path ? strrchr(path, '/') : NULL;
    return name && strstr(path, "/vips-modules-") && !is_wanted(name + 1);
}

GModule *g_module_open(const gchar *path, GModuleFlags flags)
{
    static GModule *(*real)(const gchar *, GModuleFlags);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "g_module_open");
    /* NULL opens this program itself: libvips would log a warning if opening a module failed. */
    return real(is_choosing && is_superfluous(path) ? NULL : path, flags);
}
