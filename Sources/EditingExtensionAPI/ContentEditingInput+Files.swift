// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// Files: those that parameters name, and the original. All may be used on any thread.
extension ContentEditingInput {
    /// The bytes behind the value of a parameter of the type `file`. They lie at a multiple of 64 and live as long
    /// as the controller.
    ///
    /// - Parameter value: the parameter's, as a string: "sha256:" and the hash of a file that the user named, or the name
    ///   of one of the manifest's `hashedFiles`. A recipe holds it as it is.
    /// - Throws: `EditingExtensionError` where no parameter of this edit names such a file.
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

    /// The bytes of the original's own file, as it was imported; its type is ``contentType``. They live as long
    /// as the controller.
    ///
    /// For trusted extensions, and those whose manifest has `readsOriginal` and whom the user allowed it.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` for others, and where the original is away.
    public var originalBytes: UnsafeRawBufferPointer {
        get throws {
            let original = try originalCapability
            return try bytes { original.bytes($0, $1, $2, $3) }
        }
    }

    /// What the original was called when it was imported, without a folder.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported`, as ``originalBytes``.
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

    private func withInput<Result>(
        _ body: (UnsafePointer<ee_input>) throws -> Result
    ) throws -> Result {
        guard let host = currentHost else {
            throw EditingExtensionError(
                code: .cancelled, message: "the edit that this input belongs to has ended")
        }
        return try body(host.pointer)
    }
}
