// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library

/// Measures operations that only read.
struct Reading {
    private let library: PhotoLibrary
    private var random = SystemRandomNumberGenerator()

    init(_ path: String) throws { library = try PhotoLibrary.open(at: path) }

    /// Opens a library repeatedly, as every command does.
    static func open(_ path: String) throws {
        try Stopwatch.measure("open", times: 30) {
            let library = try PhotoLibrary.open(at: path)
            _ = try library.identifier
            try library.close()
        }
    }

    /// Prints the resident memory in kilobytes of a process with or without a loaded result.
    static func memory(_ path: String, holding: Bool) throws {
        let library = try PhotoLibrary.open(at: path)
        let result = try Asset.fetchAssets(in: library)
        if holding {
            try result.load()
            // Looking up an identifier also loads the index.
            _ = try result.index(ofIdentifier: result[result.count / 2].id)
        } else {
            var options = FetchOptions()
            options.fetchLimit = 1
            let one = try Asset.fetchAssets(in: library, options: options)
            _ = try one.index(ofIdentifier: one[0].id)
        }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        print("memory", line?.split(separator: " ").dropFirst().first ?? "", separator: "\t")
        withExtendedLifetime(result) {}
    }

    mutating func run() throws {
        try fetch("favorites", .isFavorite)
        try fetch("edited", .hasAdjustments)
        try fetch("videos", .mediaType([.video]))
        let start = Date(timeIntervalSince1970: 1_500_000_000)
        try fetch("a month", .date(.creation, .between(start, start + 30 * 86400)))
        try fetch("all", nil)
        try collections()
        let result = try Asset.fetchAssets(in: library)
        Stopwatch.report("load", try (0..<7).map { _ in try loading() })
        try result.load()
        let middle = result.count / 2
        var places = (0..<400).map { _ in Int.random(in: 0..<middle, using: &random) + middle / 2 }
        let identifiers = try places.map { try result.object(at: $0)?.id ?? "" }
        Stopwatch.report(
            "by identifier",
            try identifiers.map { identifier in
                try Stopwatch.milliseconds {
                    _ = try library.asset(withLocalIdentifier: identifier)
                }
            })
        places.shuffle(using: &random)
        Stopwatch.report(
            "random access",
            try places.map { place in
                try Stopwatch.milliseconds { _ = try result.object(at: place) }
            })
    }

    private func collections() throws {
        let albums = try AssetCollection.fetchAssetCollections(with: .album, in: library)
        try albums.load()
        try Stopwatch.measure("album", times: 30) {
            let album = albums[albums.count / 2]
            try Asset.fetchAssets(in: album, library: library).enumerateObjects { _, _ in }
        }
        try Stopwatch.measure("moments", times: 3) {
            _ = try AssetCollection.fetchMoments(in: library).count
        }
    }

    private func loading() throws -> Double {
        let result = try Asset.fetchAssets(in: library)
        return try Stopwatch.milliseconds { try result.load() }
    }

    private func fetch(_ name: String, _ predicate: AssetPredicate?) throws {
        var options = FetchOptions()
        options.predicate = predicate
        try Stopwatch.measure("count \(name)", times: 30) {
            _ = try Asset.count(in: library, options: options)
        }
        options.fetchLimit = 100
        try Stopwatch.measure("first 100 \(name)", times: 100) {
            try Asset.fetchAssets(in: library, options: options).enumerateObjects { _, _ in }
        }
    }
}
