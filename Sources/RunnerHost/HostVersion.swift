// SPDX-License-Identifier: Apache-2.0

/// The version numbers of this host.
package enum HostVersion {
    /// The version of the program: `major.minor.patch`.
    package static let current = "0.1.0"
    /// The version of the rendering. Incremented whenever the same recipe gives other pixels or bytes.
    /// See docs/design/decisions/0006-rendition-ingredients.md.
    package static let rendering = 4
    /// The major version of the supported C extension ABI.
    package static let abiMajor = 1
    /// The minor version of the supported C extension ABI.
    package static let abiMinor = 1

    /// Returns whether this host has version `minimum` or later. Missing components count as 0.
    package static func isAtLeast(_ minimum: String) -> Bool {
        let required = minimum.split(separator: ".").map { Int($0) ?? .max }
        let own = current.split(separator: ".").map { Int($0) ?? 0 }
        for index in 0..<max(required.count, own.count) {
            let left = index < own.count ? own[index] : 0
            let right = index < required.count ? required[index] : 0
            if left != right { return left > right }
        }
        return true
    }
}
