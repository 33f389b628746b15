/* SPDX-License-Identifier: Apache-2.0 */
/* Starts libvips and ends: the minimum cost of a process that works on pixels. */
#include <vips/vips.h>

int main(void)
{
    if (vips_init("vips_start"))
        vips_error_exit(NULL);
    vips_shutdown();
    return 0;
}
