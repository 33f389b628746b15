// SPDX-License-Identifier: Apache-2.0

/// A copy of a structure of the contract with plug-ins that somebody else has made, perhaps with
/// another version of the contract: it begins with its size in bytes, a 32-bit number.
/// See docs/design/decisions/0026-contract-growth-and-capabilities.md.
///
/// - Parameters:
///   - pointer: the structure. No byte beyond the size that it tells is read.
///   - type: its type as this side knows it.
///   - minimum: the size that it had in the first version of the contract.
/// - Returns: the members that its maker knows; those of a later version are zero, which for
///   functions and pointers is nil. Nil: the structure is shorter than `minimum`.
package func growingStructure<Structure>(
    at pointer: UnsafeRawPointer, as type: Structure.Type, minimum: Int
) -> Structure? {
    let told = Int(pointer.loadUnaligned(as: UInt32.self))
    guard told >= minimum else { return nil }
    let own = MemoryLayout<Structure>.size
    return withUnsafeTemporaryAllocation(
        byteCount: own, alignment: MemoryLayout<Structure>.alignment
    ) { copy in
        copy.initializeMemory(as: UInt8.self, repeating: 0)
        copy.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: min(told, own)))
        return copy.load(as: Structure.self)
    }
}
