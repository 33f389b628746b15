// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

/// Measures operations that write.
struct Changing {
    private let library: PhotoLibrary

    init(_ path: String) throws { library = try PhotoLibrary.open(at: path) }

    func run() throws {
        for (count, times) in [(1, 40), (100, 20), (10_000, 3)] {
            var options = FetchOptions()
            options.fetchLimit = count
            var isFavorite = false
            try Stopwatch.measure("change \(count)", times: times) {
                isFavorite.toggle()
                let assets = try Asset.fetchAssets(in: library, options: options)
                try library.performChanges {
                    for asset in assets {
                        try AssetChangeRequest(for: asset).isFavorite = isFavorite
                    }
                }
            }
        }
    }

    /// Imports the files of a folder, one change per file, without decoding them.
    func importFiles(from folder: String) throws {
        let facts = PhotoFacts(
            format: .jpeg, pixelWidth: 4000, pixelHeight: 3000, orientation: 1, bitsPerSample: 8,
            hasAlpha: false, colorModel: .rgb, hasFullChroma: false, isLossy: true, frameCount: 1,
            mediaSubtypes: [], creationDate: nil, location: nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        Stopwatch.report(
            "import",
            try names.map { name in
                try Stopwatch.milliseconds {
                    let blob = try library.stage(path: "\(folder)/\(name)")
                    try library.performChanges {
                        try AssetCreationRequest(mediaType: .image)
                            .addResource(.photo, blob: blob, filename: name, facts: facts)
                    }
                }
            })
    }
}

/// Measures the time to update a fetch result after a change.
struct Details {
    private let library: PhotoLibrary

    init(_ path: String) throws { library = try PhotoLibrary.open(at: path) }

    func run() async throws {
        var changes = try library.changes().makeAsyncIterator()
        var result = try Asset.fetchAssets(in: library)
        try result.load()
        for name in ["10 favorites", "10 dates"] {
            var times: [Double] = []
            for _ in 0..<30 {
                let assets = (0..<10).map { _ in result[Int.random(in: result.indices)] }
                try await library.performChanges {
                    for asset in assets {
                        let request = try AssetChangeRequest(for: asset)
                        if name == "10 favorites" {
                            request.isFavorite = !asset.isFavorite
                        } else {
                            let seconds = Double.random(in: 1e9..<1.7e9)
                            request.creationDate = Date(timeIntervalSince1970: seconds)
                        }
                    }
                }
                guard let change = await changes.next() else { return }
                let before = result
                times.append(
                    try Stopwatch.milliseconds {
                        let details = try change.changeDetails(for: before)
                        result = details?.fetchResultAfterChanges ?? before
                    })
            }
            Stopwatch.report("details \(name)", times)
        }
    }
}

/// Measures the delay between a commit and the notification of another process.
enum Observing {
    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Prints the token and the time of each change notification.
    static func observe(_ path: String, _ count: Int) async throws {
        let library = try PhotoLibrary.open(at: path)
        let changes = try library.changes()
        print("ready")
        // The reader of the pipe waits for this line.
        fflush(nil)
        var seen = 0
        for await change in changes {
            print(change.token, now, separator: "\t")
            fflush(nil)
            seen += 1
            if seen == count { return }
        }
    }

    /// Commits changes, and prints the token and the start and end times of each.
    static func commit(_ path: String, _ count: Int) throws {
        let library = try PhotoLibrary.open(at: path)
        var options = FetchOptions()
        options.fetchLimit = 1
        for number in 0..<count {
            let asset = try Asset.fetchAssets(in: library, options: options)[0]
            let start = now
            let token = try library.performChanges {
                try AssetChangeRequest(for: asset).isFavorite = number % 2 == 0
            }
            print(token, start, now, separator: "\t")
            usleep(UInt32.random(in: 20_000...60_000))
        }
    }
}
