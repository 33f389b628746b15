// SPDX-License-Identifier: Apache-2.0

/// The files that the parameters of one edit may name.
struct EditFiles: Sendable {
    /// Those that users named.
    let parameters: ParameterFiles
    /// Those of the extension's folder.
    let extensionFiles: HostServices

    /// The bytes behind a parameter's value; nil where there is no such file.
    func bytes(_ value: String) -> UnsafeRawBufferPointer? {
        parameters.bytes(value) ?? extensionFiles.file(named: value)
    }
}
