// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// Access to the files named by parameters, and to the original. All members may be used on any thread.
extension ContentEditingInput {
    /// Returns the bytes of the file that a parameter of type `file` refers to. They are 64-byte aligned and live as
    /// long as the controller.
    ///
    /// - Parameter value: The parameter's value: "sha256:" and the hash of a file chosen by the user, or the name of
    ///   one of the manifest's `hashedFiles`. Store it in the recipe as it is.
    /// - Throws: `EditingExtensionError` if no parameter of this edit names such a file.
    public func file(_ value: String) throws -> UnsafeRawBufferPointer {
        guard
            let files = Registration.capability(
                EE_CAPABILITY_FILES, as: ee_files.self, minimum: Int(EE_FILES_SIZE_1_0))
        else {
            throw EditingExtensionError(
                code: .unsupported, message: "this host gives no files to extensions")
        }
        return try bytes { files.parameter($0, value, $1, $2, $3) }
    }

    /// The bytes of the original as it was imported, in the format ``contentType``. They live as long as the
    /// controller.
    ///
    /// Available to trusted extensions. Other extensions need `readsOriginal` in their manifest and the user's
    /// permission.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` if the extension may not read the original, or if the
    ///   original is missing.
    public var originalBytes: UnsafeRawBufferPointer {
        get throws {
            let original = try originalCapability
            return try bytes { original.bytes($0, $1, $2, $3) }
        }
    }

    /// The filename of the original when it was imported, without a folder.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` under the same conditions as ``originalBytes``.
    public var originalFilename: String {
        get throws {
            let original = try originalCapability
            return try withInput { input in
                var name: UnsafePointer<CChar>?
                var error = ee_error()
                let status = original.filename(input, &name, &error)
                if let error = EditingExtensionError(status: status, error) { throw error }
                return String(optional: name) ?? ""
            }
        }
    }

    private var originalCapability: ee_original {
        get throws {
            guard
                let original = Registration.capability(
                    EE_CAPABILITY_ORIGINAL, as: ee_original.self,
                    minimum: Int(EE_ORIGINAL_SIZE_1_0))
            else {
                throw EditingExtensionError(
                    code: .unsupported, message: "this host gives no originals to extensions")
            }
            return original
        }
    }

    private func bytes(
        _ call: (
            UnsafePointer<ee_input>, UnsafeMutablePointer<UnsafeRawPointer?>,
            UnsafeMutablePointer<Int>, UnsafeMutablePointer<ee_error>
        ) -> ee_status
    ) throws -> UnsafeRawBufferPointer {
        try withInput { input in
            var (data, size) = (UnsafeRawPointer?.none, 0)
            var error = ee_error()
            let status = call(input, &data, &size, &error)
            if let error = EditingExtensionError(status: status, error) { throw error }
            return UnsafeRawBufferPointer(start: data, count: size)
        }
    }

    func withInput<Result>(
        _ body: (UnsafePointer<ee_input>) throws -> Result
    ) throws -> Result {
        guard let host = currentHost else {
            throw EditingExtensionError(
                code: .cancelled, message: "the edit that this input belongs to has ended")
        }
        return try body(host.pointer)
    }
}
