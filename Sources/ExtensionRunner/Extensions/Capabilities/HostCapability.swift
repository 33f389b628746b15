// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// What the host offers to extensions, which ask for it by its id. Each is a file of its own in this
/// folder, and a member of ``all``.
///
/// `@unchecked Sendable` is safe: the structure is never changed and never freed.
struct HostCapability: @unchecked Sendable {
    /// Its id in the contract.
    let identifier: String
    /// The structure of the contract.
    let structure: UnsafeRawPointer

    /// Keeps a structure for good, with its size in its first member.
    init<Structure>(_ identifier: String, _ structure: Structure) {
        self.identifier = identifier
        let kept = UnsafeMutablePointer<Structure>.allocate(capacity: 1)
        kept.initialize(to: structure)
        let raw = UnsafeMutableRawPointer(kept)
        raw.storeBytes(of: UInt32(MemoryLayout<Structure>.size), as: UInt32.self)
        self.structure = UnsafeRawPointer(raw)
    }

    /// All that this host has.
    private static let all = [HostCapability.cache, .files, .original, .parameters, .work]

    /// The structure of an id; nil where there is none.
    static func structure(_ identifier: String) -> UnsafeRawPointer? {
        all.first { $0.identifier == identifier }?.structure
    }
}
