/* SPDX-License-Identifier: Apache-2.0 */
#include "editing_extension.h"
