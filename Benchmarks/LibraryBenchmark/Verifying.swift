// SPDX-License-Identifier: Apache-2.0

import Library

/// Measures the cost of hashing stored files before they are used.
enum Verifying {
    /// Opens all originals without hashing, with hashing, and again after they were verified.
    static func run(_ path: String) throws {
        let library = try PhotoLibrary.open(at: path)
        var originals: [AssetResource] = []
        try Asset.fetchAssets(in: library).enumerateObjects { asset, _ in
            let resources = try? AssetResource.assetResources(for: asset, in: library)
            originals += (resources ?? []).prefix(1)
        }
        let bytes = originals.reduce(0) { $0 + ($1.size ?? 0) }
        print("bytes", bytes / max(1, originals.count), 0, 0, separator: "\t")
        let rounds: [(String, ReadingPurpose)] = [
            ("not hashed", .preview), ("hashed", .rendering), ("again", .rendering),
        ]
        for (name, purpose) in rounds {
            Stopwatch.report(
                name,
                try originals.map { original in
                    try Stopwatch.milliseconds {
                        _ = try library.openOriginal(original, for: purpose)
                    }
                })
        }
    }
}
