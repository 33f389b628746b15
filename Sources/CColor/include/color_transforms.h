/* SPDX-License-Identifier: Apache-2.0
 *
 * color_transforms.h: the host's capability EE_CAPABILITY_COLOR, for the runner and the test host.
 */
#ifndef COLOR_TRANSFORMS_H
#define COLOR_TRANSFORMS_H

#include <editing_extension.h>

/* The capability, which lives as long as the process. */
const ee_color *ee_color_capability(void);

#endif
