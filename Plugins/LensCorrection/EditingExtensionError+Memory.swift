// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

extension EditingExtensionError {
    static let outOfMemory = EditingExtensionError(
        code: .failed, message: "there is not enough memory")
}
