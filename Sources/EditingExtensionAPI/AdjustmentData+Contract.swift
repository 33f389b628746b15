// SPDX-License-Identifier: Apache-2.0

import EditingValues
import FoundationEssentials

extension AdjustmentData {
    /// Copies a recipe from the C contract.
    init(_ adjustment: ee_adjustment) {
        self.init(
            formatIdentifier: String(optional: adjustment.format_identifier) ?? "",
            formatVersion: String(optional: adjustment.format_version) ?? "",
            data: adjustment.data.map { Data(bytes: $0, count: adjustment.size) } ?? Data())
    }

    /// Calls a closure with the recipe as a structure of the C contract, valid during the call.
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
    /// Copies a C string; nil for a null pointer.
    init?(optional text: UnsafePointer<CChar>?) {
        guard let text else { return nil }
        self.init(cString: text)
    }
}
