// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerHost

/// The recipe that an edit starts from, instead of that of the edit it continues.
struct StartingRecipe: Sendable {
    /// Parameter values, for parameters that the request does not set.
    let values: [String: ParameterValue]
    /// The parameter files of the recipe.
    let files: [EditFile]
    /// The recipe's bytes, in each format that the extension may have written.
    private let candidates: [AdjustmentData]
    /// The member names of a JSON object that sets no parameter: a recipe in the extension's own format, or one of
    /// another extension.
    private var foreignNames: [String]

    /// Whether this is a recipe, rather than only parameter values.
    var hasData: Bool { !candidates.isEmpty }

    private init(
        values: [String: ParameterValue], files: [EditFile], candidates: [AdjustmentData],
        foreignNames: [String] = []
    ) {
        self.values = values
        self.files = files
        self.candidates = candidates
        self.foreignNames = foreignNames
    }

    /// Creates the starting recipe from an edit.
    init(_ edit: Edit) {
        self.init(values: [:], files: edit.files, candidates: [edit.adjustmentData])
    }

    /// Creates the starting recipe from a step.
    init(_ step: StatePlan.Step) {
        self.init(
            values: [:], files: step.files.map(\.description), candidates: [step.adjustmentData])
    }

    /// - Throws: `HostError` with `badInput` or `badParameter` if the bytes are not a recipe; `badRequest` if the asset
    ///   has no edit with the extension; `LibraryError`.
    init(
        _ recipe: EditRequest.Recipe, of manifest: ExtensionManifest, in library: PhotoLibrary
    ) throws {
        switch recipe {
        case .file(let path):
            try self.init(ofFile: path, of: manifest)
        case .asset(let identifier):
            let edits = try library.history(ofAsset: identifier).chain
            guard
                let edit = edits.last(where: {
                    $0.isEnabled && $0.editingExtension?.identifier == manifest.identifier
                })
            else {
                throw HostError(
                    .badRequest, "no enabled edit with \(manifest.identifier)",
                    asset: identifier)
            }
            self.init(edit)
        }
    }

    /// - Parameter path: The path of a file that holds a JSON object of parameter values, or a recipe.
    /// - Throws: `HostError` with `badInput` or `badParameter` if the bytes are not a recipe; `noSuchFile`.
    init(ofFile path: String, of manifest: ExtensionManifest) throws {
        let bytes = try Self.bytes(ofFile: path)
        do {
            let values = try manifest.values(inRecipe: bytes)
            self.init(
                values: values ?? [:], files: [],
                candidates: values == nil ? try manifest.recipes(holding: bytes) : [],
                foreignNames: manifest.foreignNames(inRecipe: bytes))
        } catch let error as HostError {
            throw HostError(
                error.code, "\(path): \(error.message)", extension: manifest.identifier,
                underlying: error)
        }
    }

    private static func bytes(ofFile path: String) throws -> Data {
        let bytes = try OpenFile.readingRegularFile(path, else: .badInput)
            .read(count: maximumBytes + 1)
        guard (1...maximumBytes).contains(bytes.count) else {
            throw HostError(
                .badInput,
                "\(path) is not a recipe: it has "
                    + (bytes.isEmpty ? "no bytes" : "more than \(maximumBytes >> 20) MiB"))
        }
        return bytes
    }

    /// The maximum size of a recipe, in bytes.
    private static let maximumBytes = 16 << 20

    /// Returns the same recipe, without any foreign names if it is in the extension's own format.
    ///
    /// A JSON object without any parameter may still be in that format. It is assumed to be if it shares a name with a
    /// recipe that the extension writes for a gray picture.
    ///
    /// - Throws: `CancellationError`.
    func resolvingForeignNames(
        of binary: ExtensionBinary, _ host: ExtensionHost
    ) async throws -> StartingRecipe {
        guard !foreignNames.isEmpty else { return self }
        let own: AdjustmentData?
        do {
            own = try await host.trialRecipe(of: binary)
        } catch let error as CancellationError {
            throw error
        } catch {
            // The session reports what is wrong with the extension.
            return self
        }
        let object = own.flatMap {
            AnyValue.object($0.data)
        }
        guard let object, foreignNames.contains(where: { object[$0] != nil }) else { return self }
        var recipe = self
        recipe.foreignNames = []
        return recipe
    }

    /// Rejects a JSON object that sets no parameter of the extension, if the extension ignored it.
    ///
    /// - Parameter parameters: The parameters that the extension reports after starting with the recipe.
    /// - Throws: `HostError` with `badParameter`.
    func requireEffect(
        on parameters: [String: ParameterValue], of manifest: ExtensionManifest
    ) throws {
        let defaults = manifest.defaultValues
        guard let first = foreignNames.first, !defaults.isEmpty,
            defaults == (try? manifest.checked(parameters.filter { defaults[$0.key] != nil }))
        else { return }
        throw HostError(
            .badParameter,
            "the recipe sets no parameter of the extension; \"\(first)\" is not one of them",
            extension: manifest.identifier)
    }

    /// Returns the recipe in a format that the extension accepts.
    ///
    /// - Throws: `HostError` with `badInput` if it accepts none.
    func data(takenBy session: ControllerSession) async throws -> AdjustmentData {
        for candidate in candidates where try await session.canHandle(candidate) {
            return candidate
        }
        throw HostError(
            .badInput, "\(session.manifest.identifier) does not accept this recipe",
            extension: session.manifest.identifier)
    }
}

extension ExtensionManifest {
    /// Returns bytes as a recipe in each format that the extension writes, reads or upgrades.
    ///
    /// - Throws: `HostError` with `badInput`.
    fileprivate func recipes(holding bytes: Data) throws -> [AdjustmentData] {
        do {
            return try (writes + reads + upgrades).flatMap { format in
                try (format.formatVersions ?? [version]).map {
                    try AdjustmentData(
                        formatIdentifier: format.formatIdentifier, formatVersion: $0, data: bytes
                    ).checked()
                }
            }
        } catch {
            throw HostError(
                .badInput, "this is not a recipe: \(error)", extension: identifier,
                underlying: error)
        }
    }

    /// Returns the parameter values in a file, or nil if it is not a JSON object of parameters but may be a recipe.
    ///
    /// - Throws: `HostError` with `badParameter` for invalid values, for an unknown name among known ones, and for the
    ///   value of a file parameter: recipes are untrusted, and could otherwise read any file of the user.
    fileprivate func values(inRecipe bytes: Data) throws -> [String: ParameterValue]? {
        guard let object = AnyValue.object(bytes) else { return nil }
        if let file = parameters.first(where: { $0.type == .file && object[$0.name] != nil }) {
            throw refusal(
                "the recipe refers to the file of \"\(file.name)\", which recipes do not "
                    + "contain; give the file with --set, or copy the edit of a photo "
                    + "with --from")
        }
        let names = parameters.map(\.name)
        let unknown = object.keys.filter { !names.contains($0) }.sorted()
        if let first = unknown.first {
            let slip = unknown.first { $0.closest(among: names) != nil }
            // A recipe may contain more than the parameters, or none of them.
            let isRecipe = unknown.count == object.count || names.allSatisfy { object[$0] != nil }
            guard slip != nil || !isRecipe else { return nil }
            let name = slip ?? first
            throw refusal(
                "\"\(name)\" is not one of its parameters" + name.closest(among: names).suggestion)
        }
        return try checked(
            Dictionary(
                uniqueKeysWithValues: object.map { name, value in
                    guard let value = value.value else {
                        throw refusal("\"\(name)\" has a value of an unsupported type")
                    }
                    return (name, value)
                }))
    }

    /// Returns the member names of a JSON object that sets no parameter, or an empty array for anything else.
    fileprivate func foreignNames(inRecipe bytes: Data) -> [String] {
        guard !parameters.isEmpty,
            let object = AnyValue.object(bytes),
            !parameters.contains(where: { object[$0.name] != nil }),
            // A value of a type that no parameter has means a recipe in the extension's own format.
            object.values.allSatisfy({ $0.value != nil })
        else { return [] }
        return object.keys.sorted()
    }

    private func refusal(_ reason: String) -> HostError {
        HostError(.badParameter, reason, extension: identifier)
    }
}

/// Any JSON value.
private struct AnyValue: Decodable {
    /// The value, or nil if it has a type that no parameter has.
    let value: ParameterValue?

    init(from decoder: any Decoder) throws { value = try? ParameterValue(from: decoder) }

    private static let limits = JSONLimits(bytes: 16 << 20)

    /// Returns the members of a JSON object, or nil if the data is not an object or exceeds the limits.
    static func object(_ json: Data) -> [String: AnyValue]? {
        guard limits.excess(of: json) == nil else { return nil }
        return try? JSONDecoder().decode([String: AnyValue].self, from: json)
    }
}
