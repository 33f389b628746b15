/* SPDX-License-Identifier: Apache-2.0 */
#include <lcms2.h>
