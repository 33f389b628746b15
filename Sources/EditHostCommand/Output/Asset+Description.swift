// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library

extension Asset {
    /// The JSON members that `list` prints, and `show` before the edits.
    var jsonMembers: [(key: String, value: JSONValue)] {
        [
            ("id", .string(localIdentifier)),
            ("mediaType", .string(mediaType.name)),
            ("mediaSubtypes", .array(mediaSubtypes.names.map(JSONValue.string))),
            ("pixelWidth", .integer(pixelWidth)),
            ("pixelHeight", .integer(pixelHeight)),
            ("creationDate", JSONValue(captureDate?.text)),
            ("modificationDate", .string(modificationDate.universalText)),
            ("location", location?.json ?? .null),
            ("duration", .number(duration)),
            ("isFavorite", .boolean(isFavorite)),
            ("isHidden", .boolean(isHidden)),
            ("burstIdentifier", JSONValue(burstIdentifier)),
            ("filename", .string(originalFilename)),
            ("filenameBytes", .bytes(ofPath: originalFilename)),
            ("adjustmentFormatIdentifier", JSONValue(adjustmentFormatIdentifier)),
        ]
    }
}

extension Asset {
    /// Returns the JSON members that only `show` prints.
    func detailMembers(keywords: [String]) -> [(key: String, value: JSONValue)] {
        let isKnown = cameraMake != nil || cameraModel != nil
        let camera: JSONValue = ["make": JSONValue(cameraMake), "model": JSONValue(cameraModel)]
        return [
            ("representsBurst", .boolean(representsBurst)),
            ("burstSelectionTypes", .array(burstSelectionTypes.names.map(JSONValue.string))),
            ("keywords", .array(keywords.map(JSONValue.string))),
            ("title", JSONValue(title)),
            ("description", JSONValue(descriptionText)),
            ("label", JSONValue(label)),
            ("rating", rating.map(JSONValue.integer) ?? .null),
            ("exposureTime", exposureTime.map(JSONValue.number) ?? .null),
            ("camera", isKnown ? camera : .null),
            ("lens", JSONValue(lensModel)),
            ("contentIdentifier", JSONValue(contentIdentifier)),
        ]
    }

    /// The user-written metadata except keywords, with their names.
    var textFacts: [(String, String)] {
        let stars = rating.map { $0 < 0 ? "rejected" : String($0) }
        let facts = [
            ("title", title), ("description", descriptionText), ("label", label),
            ("rating", stars),
        ]
        return facts.compactMap { name, value in value.map { (name, $0) } }
    }

    /// A description of the photograph's burst membership; `nil` if it is in no burst.
    var burstWords: String? {
        guard let burstIdentifier else { return nil }
        let roles = [
            (representsBurst, "representative"),
            (burstSelectionTypes.contains(.userPick), "picked"),
            (burstSelectionTypes.contains(.autoPick), "picked automatically"),
        ]
        return ([burstIdentifier] + roles.filter(\.0).map(\.1)).joined(separator: ", ")
    }

    /// The shortened identifier for messages.
    var shortIdentifier: String { ShortIdentifier.of(localIdentifier) }
}

extension AssetBurstSelectionType {
    /// The names of the selection types.
    fileprivate var names: [String] {
        let all: [(Self, String)] = [(.autoPick, "autoPick"), (.userPick, "userPick")]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

extension Location {
    fileprivate var json: JSONValue {
        ["latitude": .number(latitude), "longitude": .number(longitude)]
    }
}

extension Date {
    /// The moment in UTC as RFC 3339.
    var universalText: String { CaptureDate(date: self, offset: nil).text + "Z" }
}

extension Edit {
    /// Returns the JSON of an edit in `show`.
    func json(_ values: EditValues?) -> JSONValue {
        [
            "edit": .string(identifier),
            "extension": JSONValue(editingExtension?.identifier),
            "version": JSONValue(editingExtension?.version),
            "adjustmentFormatIdentifier": .string(adjustmentData.formatIdentifier),
            "adjustmentFormatVersion": .string(adjustmentData.formatVersion),
            "isReproducible": .boolean(isReproducible), "isEnabled": .boolean(isEnabled),
            "files": .array(files.map(\.json)),
            "values": values?.json ?? .null,
            "valuesError": JSONValue(values?.reason),
            "recipeSize": .integer(adjustmentData.data.count),
            "date": .string(createdDate.universalText),
        ]
    }

    /// Returns the author and the parameter values as text. If they are unknown, it contains the reason and the
    /// recipe format.
    func description(_ values: EditValues?) -> String {
        switch values {
        case .known(let known)?:
            known.isEmpty ? author : "\(author)  \(EditValues.known(known).words)"
        case .unknown(let reason)?: "\(author) (\(reason.printable); \(recipe))"
        case nil: "\(author), \(recipe)"
        }
    }

    /// The format and the size of the recipe.
    private var recipe: String {
        "\(adjustmentData.formatIdentifier) \(adjustmentData.formatVersion)".printable
            + ", \(adjustmentData.data.count) bytes"
    }

    /// The author of the edit for messages.
    var author: String { editingExtension?.identifier ?? "an application" }
}

extension EditValues {
    /// The reason why the values are unknown.
    var reason: String? {
        if case .unknown(let reason) = self { reason } else { nil }
    }

    /// The values; null if they are unknown.
    var json: JSONValue {
        guard case .known(let values) = self else { return .null }
        return .object(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
    }

    /// The values as text, sorted by name.
    var words: String {
        switch self {
        case .known(let values):
            values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text.printable)" }
                .joined(separator: ", ")
        case .unknown(let reason): reason.printable
        }
    }
}

extension EditFile {
    /// The JSON of an edit's file in `show`.
    fileprivate var json: JSONValue {
        [
            "parameter": .string(parameter), "filename": .string(filename),
            "sha256": .string(hash.hex), "size": .integer(size),
        ]
    }
}
