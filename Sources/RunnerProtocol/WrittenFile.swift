// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A file that an extension wrote as its output. The runner opens it before the extension can remove it, and copies
/// it on `takeFile`.
package struct WrittenFile: Codable, Hashable, Sendable {
    /// The MIME type announced by the extension.
    package var contentType: String
    /// The profile of the pixels if the file has no embedded one.
    package var profile: ColorProfile

    /// Creates a description from its properties.
    package init(contentType: String, profile: ColorProfile) {
        self.contentType = contentType
        self.profile = profile
    }
}
