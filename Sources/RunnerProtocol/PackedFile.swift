// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The position of a file in memory that contains several.
package struct PackedFile: Codable, Hashable, Sendable {
    /// The name by which the file is requested: its name in the extension's folder, or "sha256:" and its hash.
    package var name: String
    /// The offset of the file in bytes.
    package var offset: Int
    /// The length of the file in bytes.
    package var count: Int

    /// Creates a description from its properties.
    package init(name: String, offset: Int, count: Int) {
        (self.name, self.offset, self.count) = (name, offset, count)
    }
}
