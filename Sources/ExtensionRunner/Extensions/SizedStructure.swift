// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import RunnerProtocol

/// A structure that an extension passes in and the host fills.
protocol SizedStructure {
    var struct_size: UInt32 { get set }
    /// The size in the first version of the contract that has the structure.
    static var minimumSize: Int { get }
}

extension UnsafeMutablePointer where Pointee: SizedStructure {
    /// Fills a structure of the extension, up to the size that it has set, and reduces the size to what was filled.
    ///
    /// - Throws: `badRequest` if it is shorter than in the first version of the contract that has it.
    func fill(with value: Pointee) throws(RunnerFailure) {
        let size = pointee.struct_size
        guard Int(size) >= Pointee.minimumSize else {
            throw RunnerFailure(
                code: .badRequest,
                message: "a struct_size of \(size) is less than \(Pointee.minimumSize)")
        }
        let filled = min(Int(size), MemoryLayout<Pointee>.size)
        withUnsafeBytes(of: value) { bytes in
            UnsafeMutableRawPointer(self).copyMemory(
                from: bytes.baseAddress ?? UnsafeRawPointer(self), byteCount: filled)
        }
        pointee.struct_size = UInt32(clamping: filled)
    }
}
