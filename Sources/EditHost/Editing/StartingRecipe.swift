// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library

/// What an edit starts from in place of the recipe that it continues.
struct StartingRecipe: Sendable {
    /// Values of parameters, which count where the user names none.
    let values: [String: ParameterValue]
    /// The files that it names.
    let files: [EditFile]
    /// The recipe's bytes, in each format in which the extension may have written them.
    private let candidates: [AdjustmentData]
    /// The names in a JSON object none of which is a parameter: a recipe of its own kind, or of another extension.
    private var foreignNames: [String]

    /// Whether it is a recipe, and not only values.
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

    /// That of an edit.
    init(_ edit: Edit) {
        self.init(values: [:], files: edit.files, candidates: [edit.adjustmentData])
    }

    /// - Throws: `HostError` with `badInput` or `badParameter` for bytes that are no recipe; `badRequest` where the asset
    ///   has no edit with the extension; `LibraryError`.
    init(
        _ recipe: EditRequest.Recipe, of manifest: ExtensionManifest, in library: PhotoLibrary
    ) throws {
        switch recipe {
        case .file(let path):
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

    /// The longest recipe that there is.
    private static let maximumBytes = 16 << 20

    /// The same, where a JSON object with no parameter in it may be of the extension's own kind: it is where names of it are in
    /// a recipe that the extension makes itself.
    ///
    /// - Throws: `CancellationError`.
    func knowingOwnKind(
        of binary: ExtensionBinary, _ host: ExtensionHost
    ) async throws -> StartingRecipe {
        guard !foreignNames.isEmpty else { return self }
        let own: AdjustmentData?
        do {
            own = try await host.trialRecipe(of: binary)
        } catch let error as CancellationError {
            throw error
        } catch {
            // What is wrong with the extension its session tells.
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

    /// Refuses a JSON object that has no parameter of the extension in it, and from which the extension took nothing.
    ///
    /// - Parameter parameters: what the extension says of its parameters, once it has started with the recipe.
    /// - Throws: `HostError` with `badParameter`.
    func requireEffect(
        on parameters: [String: ParameterValue], of manifest: ExtensionManifest
    ) throws {
        guard let first = foreignNames.first, !manifest.defaultValues.isEmpty,
            manifest.defaultValues.allSatisfy({ parameters[$0.key] == $0.value })
        else { return }
        throw HostError(
            .badParameter,
            "the recipe sets no parameter of the extension; \"\(first)\" is not one of them",
            extension: manifest.identifier)
    }

    /// The recipe, in a format that the extension takes.
    ///
    /// - Throws: `HostError` with `badInput` where it takes none.
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
    /// Bytes as a recipe of each format that the extension writes or reads.
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

    /// The values that a file sets; nil: it is no JSON object of parameters, but may be a recipe.
    ///
    /// - Throws: `HostError` with `badParameter` for values that do not suit, for a name that is no parameter among others
    ///   that are, and for a file: a recipe may come from anybody, and would read any file of the user's.
    fileprivate func values(inRecipe bytes: Data) throws -> [String: ParameterValue]? {
        guard let object = AnyValue.object(bytes) else { return nil }
        if let file = parameters.first(where: { $0.type == .file && object[$0.name] != nil }) {
            throw refusal(
                "the recipe refers to the file of \"\(file.name)\", which recipes do not "
                    + "contain; give the file with --set, or copy the edit of a photograph "
                    + "with --from")
        }
        let names = parameters.map(\.name)
        let unknown = object.keys.filter { !names.contains($0) }.sorted()
        if let first = unknown.first {
            let slip = unknown.first { $0.closest(among: names) != nil }
            // Recipes may hold more than parameters, or something else.
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

    /// The names in a JSON object of which none is a parameter of an extension that has some; none for anything else.
    fileprivate func foreignNames(inRecipe bytes: Data) -> [String] {
        guard !parameters.isEmpty,
            let object = AnyValue.object(bytes),
            !parameters.contains(where: { object[$0.name] != nil }),
            // What no parameter can be is a recipe of the extension's own kind.
            object.values.allSatisfy({ $0.value != nil })
        else { return [] }
        return object.keys.sorted()
    }

    private func refusal(_ reason: String) -> HostError {
        HostError(.badParameter, reason, extension: identifier)
    }
}

/// Any value of JSON.
private struct AnyValue: Decodable {
    /// Nil: no parameter has such values.
    let value: ParameterValue?

    init(from decoder: any Decoder) throws { value = try? ParameterValue(from: decoder) }

    private static let limits = JSONLimits(bytes: 16 << 20)

    /// The members of an object; nil: it is none, or has more in it than parameters have.
    static func object(_ json: Data) -> [String: AnyValue]? {
        guard limits.excess(of: json) == nil else { return nil }
        return try? JSONDecoder().decode([String: AnyValue].self, from: json)
    }
}
