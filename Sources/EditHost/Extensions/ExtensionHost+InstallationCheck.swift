// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol

extension ExtensionHost {
    /// Validates an extension: reads its manifest, loads its library in a runner, and compares the two.
    /// Harmless problems are logged as warnings.
    ///
    /// - Parameter path: The source path, for messages.
    /// - Returns: Its binary.
    /// - Throws: `HostError`.
    func check(_ copy: String, from path: String) async throws -> ExtensionBinary {
        let binary = try binary(inFolder: copy, from: path)
        try await pool.withRunner(loading: [binary]) { _ in }
        if binary.manifest.hasCheckableParameters { try await checkParameters(of: binary) }
        return binary
    }

    /// Reads an extension that need not be installed. Unknown keys of its manifest are logged as warnings.
    ///
    /// - Parameter path: The source path, for messages.
    /// - Throws: `HostError` with `unusableExtension`.
    func binary(inFolder folder: String, from path: String) throws -> ExtensionBinary {
        let examined = ExtensionCatalogue.examine(folder)
        guard examined.status == .available else {
            throw HostError(
                .unusableExtension,
                "the extension in \(path) cannot be used: \(examined.reason ?? "")",
                extension: examined.manifest?.identifier)
        }
        try warnOfUnknownKeys(in: folder, of: examined.identifier)
        return try ExtensionBinary(reading: examined, trust: extensions.trust)
    }

    private func warnOfUnknownKeys(in copy: String, of identifier: String) throws {
        let manifest = try ExtensionFolder(copy).file("manifest.json")
            .read(count: ExtensionManifest.maximumSize + 1)
        for key in ExtensionManifest.unknownKeys(in: manifest) {
            logger.warning("\(identifier): \(key)")
        }
    }

    /// Starts an edit of a small gray picture and compares the values with the manifest's parameters.
    private func checkParameters(of binary: ExtensionBinary) async throws {
        let given: [String: ParameterValue]
        do {
            given = try await startingValues(of: binary)
        } catch let error as HostError where error.code != .unusableExtension {
            // The extension may not edit such pictures.
            logger.warning(
                """
                \(binary.manifest.identifier): cannot compare the parameters of its manifest with \
                those of its code: \(error)
                """)
            return
        }
        guard let missing = binary.manifest.firstParameter(missingIn: given) else { return }
        throw HostError(
            .unusableExtension,
            "the code of \(binary.manifest.identifier) lacks the parameter \"\(missing)\" of "
                + "its manifest\(missing.closest(among: given.keys.sorted()).suggestion)",
            extension: binary.manifest.identifier)
    }

    private func startingValues(
        of binary: ExtensionBinary
    ) async throws -> [String: ParameterValue] {
        let session = try await ControllerSession(binary, inputExtensions: [], pool: pool)
        let result: Result<[String: ParameterValue], any Error>
        do {
            let picture = try TrialPicture()
            result = .success(try await session.start(picture.start, [(.base, picture.bytes)]))
        } catch {
            result = .failure(error)
        }
        await session.close()
        return try result.get()
    }
}

extension ExtensionManifest {
    /// Whether an edit of a photo starts with values for some parameters. Files have no initial value.
    fileprivate var hasCheckableParameters: Bool {
        supportedMediaTypes.contains(.image) && parameters.contains { $0.type != .file }
    }

    /// Returns the first parameter without a value, except for files.
    fileprivate func firstParameter(missingIn values: [String: ParameterValue]) -> String? {
        parameters.first { $0.type != .file && values[$0.name] == nil }?.name
    }
}
