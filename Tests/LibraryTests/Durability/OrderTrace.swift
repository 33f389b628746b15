// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Checks in a trace whether each commit used an order of system calls that survives a power failure.
struct OrderTrace {
    /// The violations, with the number of their commit.
    private(set) var violations: [String] = []
    /// The number of commits.
    private(set) var commits = 0
    /// The number of files for which a commit made a new folder.
    private(set) var newFolders = 0

    /// The positions of the calls in one commit.
    private struct Segment {
        var synchronized: [String: Int] = [:]
        var links: [(place: Int, from: String, to: String)] = []
        var madeFolders: [String: Int] = [:]
        var logWrites: [Int] = []
        var logSynchronized: Int?
    }

    init(_ calls: [SystemTrace.Call]) {
        var segment = Segment()
        for (place, call) in calls.enumerated() where call.line.contains(" = ") {
            let paths = Self.paths(of: call)
            guard let path = paths.first else { continue }
            switch call.name {
            case "write" where call.line.contains("committed"):
                commits += 1
                judge(segment)
                segment = Segment()
            case "fsync", "fdatasync":
                if path.hasSuffix("-wal") { segment.logSynchronized = place }
                segment.synchronized[path] = place
            case "linkat":
                guard paths.count > 1 else { continue }
                segment.links.append((place, paths[0], paths[1]))
            case "mkdirat" where path.contains("/blobs/") && !call.line.contains("EEXIST"):
                segment.madeFolders[path] = place
            case "pwrite64" where path.hasSuffix("-wal"):
                segment.logWrites.append(place)
            default: break
            }
        }
    }

    /// The paths in angle brackets after descriptors. For calls that look up a name, the quoted name is appended.
    private static func paths(of call: SystemTrace.Call) -> [String] {
        let line = call.line
        if call.name.hasSuffix("at") {
            return line.matches(of: /<([^>]*)>, "([^"]*)"/).map { match in
                match.2.hasPrefix("/") ? String(match.2) : "\(match.1)/\(match.2)"
            }
        }
        return line.split { "\"<>".contains($0) }.map(String.init).filter {
            $0.hasPrefix("/") || $0.hasPrefix("pipe:")
        }
    }

    private mutating func judge(_ segment: Segment) {
        func complain(_ text: String) { violations.append("commit \(commits): \(text)") }
        // Log writes by the opening precede the first file.
        let files = segment.links.compactMap { segment.synchronized[$0.from] }
        let writes = segment.logWrites.filter { $0 > files.min() ?? 0 }
        guard let firstWrite = writes.first, let lastWrite = writes.last,
            let synchronized = segment.logSynchronized, synchronized > lastWrite
        else { return complain("the log was not forced to the disk before the answer") }
        if segment.links.isEmpty { complain("no file got its name before the answer") }
        for link in segment.links {
            if segment.synchronized[link.from] ?? .max > link.place {
                complain("the file was not forced to the disk before it got its name")
            }
            let shard = (link.to as NSString).deletingLastPathComponent
            let blobs = (shard as NSString).deletingLastPathComponent
            let named = segment.synchronized[shard] ?? .max
            if named < link.place || named > firstWrite {
                complain("the file's name was not forced to the disk before the row")
            }
            guard let made = segment.madeFolders[shard] else { continue }
            newFolders += 1
            let placed = segment.synchronized[blobs] ?? .max
            if placed < made || placed > firstWrite {
                complain("the folder's name was not forced to the disk before the row")
            }
        }
    }
}
