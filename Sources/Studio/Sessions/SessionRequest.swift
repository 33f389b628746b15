// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The body of a request that opens an editing session.
struct SessionRequest: Decodable, Sendable {
    /// The maximum length of the name of a tab, in characters.
    private static let tabLength = 200

    let asset: String
    let extensionName: String
    /// The values to start with, instead of those of the edit that is continued.
    let values: [String: ParameterValue]
    /// The name of a preset of the extension.
    let preset: String?
    /// The position of the edit to reopen, counted from 1; nil means the last one.
    let step: Int?
    /// The longer side of previews in pixels.
    let size: Int
    /// The name of the tab.
    let tab: String?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case asset
        case extensionName = "extension"
        case values, preset, step, size, tab
    }

    init(from decoder: any Decoder) throws {
        try UnknownKeys.reject(decoder, known: CodingKeys.allCases.map(\.rawValue))
        let body = try decoder.container(keyedBy: CodingKeys.self)
        asset = try body.decode(String.self, forKey: .asset)
        extensionName = try body.decode(String.self, forKey: .extensionName)
        values = try body.decodeIfPresent([String: ParameterValue].self, forKey: .values) ?? [:]
        preset = try body.decodeIfPresent(String.self, forKey: .preset)
        step = try body.decodeIfPresent(Int.self, forKey: .step)
        size =
            try body.decodeIfPresent(Int.self, forKey: .size)
            ?? SessionPreviewRequest.sizes.upperBound
        tab = try body.decodeIfPresent(String.self, forKey: .tab)
            .map { String($0.prefix(Self.tabLength)) }
        guard SessionPreviewRequest.sizes.contains(size) else {
            throw DecodingError.dataCorruptedError(
                forKey: .size, in: body,
                debugDescription: "must be from 1 to \(SessionPreviewRequest.sizes.upperBound)")
        }
    }
}
