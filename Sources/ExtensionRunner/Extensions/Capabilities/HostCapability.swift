// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// A capability that the host offers to extensions by its id. Each has a separate file in this folder and is a member
/// of ``all``.
///
/// `@unchecked Sendable` is safe: the structure is never changed and never freed.
struct HostCapability: @unchecked Sendable {
    /// The id in the C contract.
    let identifier: String
    /// The structure in the C contract.
    let structure: UnsafeRawPointer

    /// Stores a structure permanently and sets its size in the first member.
    init<Structure>(_ identifier: String, _ structure: Structure) {
        self.identifier = identifier
        let storage = UnsafeMutablePointer<Structure>.allocate(capacity: 1)
        storage.initialize(to: structure)
        let raw = UnsafeMutableRawPointer(storage)
        raw.storeBytes(of: UInt32(MemoryLayout<Structure>.size), as: UInt32.self)
        self.structure = UnsafeRawPointer(raw)
    }

    /// All capabilities of this host.
    private static let all = [
        HostCapability.cache, .color, .files, .original, .parameters, .pixels, .video, .work,
    ]

    /// Returns the structure of a capability; `nil` if it is unknown.
    static func structure(_ identifier: String) -> UnsafeRawPointer? {
        all.first { $0.identifier == identifier }?.structure
    }
}
