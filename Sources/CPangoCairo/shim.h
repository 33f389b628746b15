/* SPDX-License-Identifier: Apache-2.0 */
#include <cairo-pdf.h>
#include <pango/pangocairo.h>
