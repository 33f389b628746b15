// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Hashing
import RunnerHost

/// The files that may be copies of each other. They have the same length, and the same bytes at the beginning and at the
/// end, so that large files need not be read completely.
struct PossibleCopies {
    /// The number of bytes that are compared at each end.
    private static let comparedBytes = 1 << 16

    /// The parts that copies have in common.
    private struct Parts: Hashable {
        let byteCount: Int
        let first: SHA256Digest
        let last: SHA256Digest
    }

    /// The files that share their length with others, by path.
    private var parts: [FileName: Parts] = [:]

    /// Creates a value for files without copies.
    init() {}

    /// Reads the files that have the same length as another one. Unreadable files are no copies.
    init(among paths: [String]) {
        var lengths: [Int: [String]] = [:]
        for path in paths {
            guard let (_, status) = try? Importer.open(path) else { continue }
            lengths[Int(status.st_size), default: []].append(path)
        }
        for (count, paths) in lengths where paths.count > 1 {
            for path in paths { parts[FileName(path)] = Self.parts(of: path, count) }
        }
    }

    /// Returns the rank of each file among its copies: 0 for all files without copies and for the first one of several.
    func ranks(of paths: [String]) -> [Int] {
        var next: [Parts: Int] = [:]
        return paths.map { path in
            guard let parts = parts[FileName(path)] else { return 0 }
            defer { next[parts, default: 0] += 1 }
            return next[parts, default: 0]
        }
    }

    private static func parts(of path: String, _ byteCount: Int) -> Parts? {
        guard let (file, _) = try? Importer.open(path) else { return nil }
        let start = max(0, byteCount - comparedBytes)
        guard let first = try? file.read(count: min(byteCount, comparedBytes)),
            let last = try? file.read(count: byteCount - start, at: start)
        else { return nil }
        return Parts(
            byteCount: byteCount, first: SHA256Digest(bytes: SHA256.hash(data: first)),
            last: SHA256Digest(bytes: SHA256.hash(data: last)))
    }
}
