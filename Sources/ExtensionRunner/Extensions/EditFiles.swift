// SPDX-License-Identifier: Apache-2.0

/// The files that the parameters of an edit may refer to.
struct EditFiles: Sendable {
    /// The files chosen by users.
    let parameters: ParameterFiles
    /// The files in the extension's folder.
    let extensionFiles: HostServices

    /// Returns the bytes of a file by a parameter's value; `nil` if it does not exist.
    func bytes(_ value: String) -> UnsafeRawBufferPointer? {
        parameters.bytes(value) ?? extensionFiles.file(named: value)
    }
}
