// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A library that decodes or encodes pictures.
package struct CodecFacts: Codable, Hashable, Sendable {
    /// The name of the library, such as `libheif`.
    package var name: String
    /// The version of the library, or nil if it does not report one.
    package var version: String?
    /// The path from which the library was loaded; often a symbolic link.
    package var file: String?
    /// The abilities of the library, in words such as `decodes HEVC, AV1`.
    package var abilities: [String]

    /// Creates facts from their properties.
    package init(name: String, version: String?, file: String?, abilities: [String]) {
        self.name = name
        self.version = version
        self.file = file
        self.abilities = abilities
    }
}
