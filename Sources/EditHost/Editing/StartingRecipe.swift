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

    /// Whether it is a recipe, and not only values.
    var hasData: Bool { !candidates.isEmpty }

    private init(
        values: [String: ParameterValue], files: [EditFile], candidates: [AdjustmentData]
    ) {
        self.values = values
        self.files = files
        self.candidates = candidates
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
            let values = try manifest.values(inRecipe: bytes)
            self.init(
                values: values ?? [:], files: [],
                candidates: values == nil ? try manifest.recipes(holding: bytes) : [])
        case .asset(let identifier):
            let edits = try library.history(ofAsset: identifier).chain
            guard
                let edit = edits.last(where: {
                    $0.editingExtension?.identifier == manifest.identifier
                })
            else {
                throw HostError(
                    .badRequest, "it has no edit with \(manifest.identifier)", asset: identifier)
            }
            self.init(edit)
        }
    }

    private static func bytes(ofFile path: String) throws -> Data {
        let bytes = try OpenFile.readingRegularFile(path).read(count: maximumBytes + 1)
        guard (1...maximumBytes).contains(bytes.count) else {
            throw HostError(
                .badInput,
                "\(path) is no recipe: it has "
                    + (bytes.isEmpty ? "no bytes" : "more than \(maximumBytes >> 20) MiB"))
        }
        return bytes
    }

    /// The longest recipe that there is.
    private static let maximumBytes = 16 << 20

    /// The recipe, in a format that the extension takes.
    ///
    /// - Throws: `HostError` with `badInput` where it takes none.
    func data(takenBy session: ControllerSession) async throws -> AdjustmentData {
        for candidate in candidates where try await session.canHandle(candidate) {
            return candidate
        }
        throw HostError(
            .badInput, "\(session.manifest.identifier) does not take this recipe",
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
                .badInput, "this is no recipe: \(error)", extension: identifier, underlying: error)
        }
    }

    /// The values that a file sets; nil: it is no JSON object of parameters, but may be a recipe.
    ///
    /// - Throws: `HostError` with `badParameter` for values that do not suit, and for a name that looks like a slip.
    fileprivate func values(inRecipe bytes: Data) throws -> [String: ParameterValue]? {
        guard let object = try? JSONDecoder().decode([String: AnyValue].self, from: bytes),
            !object.isEmpty
        else { return nil }
        let names = parameters.map(\.name)
        let unknown = object.keys.filter { !names.contains($0) }.sorted()
        guard unknown.isEmpty else {
            // Recipes may hold more than parameters.
            guard let slip = unknown.first(where: { $0.closest(among: names) != nil }) else {
                return nil
            }
            throw HostError(
                .badParameter,
                "\"\(slip)\" is not one of its parameters"
                    + slip.closest(among: names).suggestion, extension: identifier)
        }
        return try checked(
            object.mapValues {
                guard let value = $0.value else {
                    throw HostError(
                        .badParameter, "the recipe has a value of no known type",
                        extension: identifier)
                }
                return value
            })
    }
}

/// Any value of JSON.
private struct AnyValue: Decodable {
    /// Nil: no parameter has such values.
    let value: ParameterValue?

    init(from decoder: any Decoder) throws { value = try? ParameterValue(from: decoder) }
}
