// SPDX-License-Identifier: Apache-2.0

/// Returns a copy of an ABI structure from code that may be built against another version of the contract.
///
/// The structure starts with its size in bytes as a 32-bit number.
/// See docs/design/decisions/0026-contract-growth-and-capabilities.md.
///
/// - Parameters:
///   - pointer: The structure. No byte beyond its declared size is read.
///   - type: The local type of the structure.
///   - minimum: The size of the structure in the first version of the contract.
/// - Returns: The structure, or `nil` if it is shorter than `minimum`. Members that it lacks are zero, which is
///   `nil` for functions and pointers.
package func growingStructure<Structure>(
    at pointer: UnsafeRawPointer, as type: Structure.Type, minimum: Int
) -> Structure? {
    let declaredSize = Int(pointer.loadUnaligned(as: UInt32.self))
    guard declaredSize >= minimum else { return nil }
    let own = MemoryLayout<Structure>.size
    return withUnsafeTemporaryAllocation(
        byteCount: own, alignment: MemoryLayout<Structure>.alignment
    ) { copy in
        copy.initializeMemory(as: UInt8.self, repeating: 0)
        copy.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: min(declaredSize, own)))
        return copy.load(as: Structure.self)
    }
}
