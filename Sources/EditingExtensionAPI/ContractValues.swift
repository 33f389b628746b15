// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues
import FoundationEssentials

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

extension PixelAccess {
    /// The access in the form of the C contract.
    var raw: ee_access {
        ee_access(self == .sequential ? EE_ACCESS_SEQUENTIAL : EE_ACCESS_RANDOM)
    }
}

extension String {
    /// A copy of a C string, or nil where there is none.
    init?(optional text: UnsafePointer<CChar>?) {
        guard let text else { return nil }
        self.init(cString: text)
    }
}
