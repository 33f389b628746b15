// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FoundationEssentials

extension String {
    /// The bytes of a path in base64 if it is not UTF-8, otherwise `nil`. The text has them as `\xE9`.
    package var undecodedBytes: String? {
        hasEscapedBytes ? Data(pathBytes).base64EncodedString() : nil
    }
}
