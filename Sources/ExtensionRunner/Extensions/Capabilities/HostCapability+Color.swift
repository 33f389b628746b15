// SPDX-License-Identifier: Apache-2.0

import CColor
import CEditingExtension

extension HostCapability {
    /// Transforms between colour spaces: `ee_color`.
    static let color = HostCapability(EE_CAPABILITY_COLOR, ee_color_capability().pointee)
}
