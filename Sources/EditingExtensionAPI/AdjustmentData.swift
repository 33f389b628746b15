// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import FoundationEssentials

/// A recipe: what an edit did to its input, in the extension's own words.
///
/// Equal input and equal recipe must give equal output. The host keeps the bytes and never looks
/// inside.
public struct AdjustmentData: Hashable, Sendable {
    /// The name of the format in reverse DNS, 1 to 255 bytes.
    public let formatIdentifier: String
    /// The version of the format, 1 to 255 bytes.
    public let formatVersion: String
    /// The recipe, 1 byte to 16 MiB.
    public let data: Data

    /// Makes a recipe. The host refuses one whose sizes are out of range.
    public init(formatIdentifier: String, formatVersion: String, data: Data) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }
}

extension AdjustmentData {
    /// Copies a recipe of the C contract.
    init(_ adjustment: ee_adjustment) {
        self.init(
            formatIdentifier: String(optional: adjustment.format_identifier) ?? "",
            formatVersion: String(optional: adjustment.format_version) ?? "",
            data: adjustment.data.map { Data(bytes: $0, count: adjustment.size) } ?? Data())
    }

    /// Lends the recipe in the form of the C contract.
    func withC<Result>(_ body: (ee_adjustment) -> Result) -> Result {
        formatIdentifier.withCString { identifier in
            formatVersion.withCString { version in
                data.withUnsafeBytes { bytes in
                    body(
                        ee_adjustment(
                            format_identifier: identifier, format_version: version,
                            data: bytes.baseAddress, size: bytes.count))
                }
            }
        }
    }
}

extension String {
    /// A copy of a C string, or nil where there is none.
    init?(optional text: UnsafePointer<CChar>?) {
        guard let text else { return nil }
        self.init(cString: text)
    }
}
