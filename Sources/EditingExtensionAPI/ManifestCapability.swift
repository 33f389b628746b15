// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// The capability `ee_manifest`, which returns the manifest generated from the code.
///
/// `@unchecked Sendable` is safe: the memory pointed to is never changed and never freed.
struct ManifestCapability: @unchecked Sendable {
    static let shared = ManifestCapability()

    let table: UnsafePointer<ee_manifest>

    private init() {
        var table = ee_manifest()
        table.struct_size = UInt32(MemoryLayout<ee_manifest>.size)
        table.json = makeManifest
        self.table = Registration.permanent(table)
    }
}

/// Implements `ee_manifest.json`.
private nonisolated func makeManifest() -> UnsafePointer<CChar>? { Registration.manifest() }
