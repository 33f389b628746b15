// SPDX-License-Identifier: Apache-2.0

/// Data in a format that only a newer version of edithost knows.
package enum NewerFormat {
    /// Returns the message of the error.
    ///
    /// - Parameters:
    ///   - subject: What was written, such as "the library" or the path of a file.
    ///   - version: The version of its format.
    package static func message(_ subject: String, version: Int) -> String {
        "\(subject) was written by a newer version of edithost (format \(version)); update edithost"
    }
}
