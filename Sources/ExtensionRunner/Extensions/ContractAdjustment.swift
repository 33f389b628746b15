// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel

/// A recipe in the form of the C contract, `ee_adjustment`.
final class ContractAdjustment {
    /// The structure, valid during the lifetime of this object.
    let pointer: UnsafePointer<ee_adjustment>
    private let identifier: UnsafeMutableBufferPointer<CChar>
    private let version: UnsafeMutableBufferPointer<CChar>
    private let data: UnsafeMutableRawBufferPointer

    init(_ recipe: AdjustmentData) {
        identifier = .copy(recipe.formatIdentifier)
        version = .copy(recipe.formatVersion)
        data = .allocate(byteCount: recipe.data.count, alignment: 16)
        data.copyBytes(from: recipe.data)
        let structure = UnsafeMutablePointer<ee_adjustment>.allocate(capacity: 1)
        structure.initialize(
            to: ee_adjustment(
                format_identifier: identifier.baseAddress, format_version: version.baseAddress,
                data: data.baseAddress, size: data.count))
        pointer = UnsafePointer(structure)
    }

    deinit {
        pointer.deallocate()
        identifier.deallocate()
        version.deallocate()
        data.deallocate()
    }
}

extension UnsafeMutableBufferPointer<CChar> {
    /// Copies a text to a C string, which the caller deallocates.
    static func copy(_ text: String) -> Self {
        let bytes = text.utf8CString
        let copy = Self.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        return copy
    }
}
