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
