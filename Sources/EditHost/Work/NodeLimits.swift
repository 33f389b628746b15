// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The processors and memory that the control group and Slurm grant this process.
package struct NodeLimits: Equatable, Sendable {
    /// The number of processors, at least 1.
    package private(set) var processors: Int
    /// The memory in bytes; `nil` if it is not limited.
    package private(set) var memory: Int?

    /// The limits of this process.
    package static var current: NodeLimits {
        let groups = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
        return NodeLimits(
            processors: ProcessInfo.processInfo.activeProcessorCount,
            environment: ProcessInfo.processInfo.environment, groups: groups,
            controlGroups: "/sys/fs/cgroup")
    }

    /// - Parameters:
    ///   - processors: The number of processors that the process may run on.
    ///   - groups: The content of `/proc/self/cgroup`.
    ///   - root: The folder in which control groups are mounted.
    package init(
        processors: Int, environment: [String: String], groups: String, controlGroups root: String
    ) {
        self.processors = max(1, processors)
        for line in groups.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let controllers = parts[1].split(separator: ",").map(String.init)
            for folder in Self.folders(upTo: String(parts[2])) {
                read(controllers, inFolder: folder, root)
            }
        }
        if let count = Int(environment["SLURM_CPUS_PER_TASK"] ?? ""), count > 0 {
            self.processors = min(self.processors, count)
        }
        // In MiB; 0 means all memory of the node.
        if let size = Int(environment["SLURM_MEM_PER_NODE"] ?? ""), (1...1 << 40).contains(size) {
            limitMemory(to: size << 20)
        }
    }

    /// The folders of a control group and of those that contain it. In a container, the outer ones are not mounted.
    private static func folders(upTo path: String) -> [String] {
        var folders = [""]
        for name in path.split(separator: "/") where name != ".." {
            folders.append("\(folders[folders.count - 1])/\(name)")
        }
        return folders
    }

    /// Reads the limits of a group of version 2, which names no controllers, or 1.
    private mutating func read(
        _ controllers: [String], inFolder folder: String, _ root: String
    ) {
        func words(_ path: String) -> [String] {
            let text = (try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)) ?? ""
            return text.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        if controllers.isEmpty {
            limitMemory(to: words("\(folder)/memory.max").first.flatMap { Int($0) })
            let time = words("\(folder)/cpu.max")
            limitProcessors(time.first, of: time.last)
        }
        if controllers.contains("memory") {
            let limit = words("memory\(folder)/memory.limit_in_bytes").first
            limitMemory(to: limit.flatMap { Int($0) })
        }
        if controllers.contains("cpu") {
            limitProcessors(
                words("cpu\(folder)/cpu.cfs_quota_us").first,
                of: words("cpu\(folder)/cpu.cfs_period_us").first)
        }
    }

    /// Version 1 writes a huge number if there is no limit.
    private mutating func limitMemory(to bytes: Int?) {
        guard let bytes, (1..<1 << 60).contains(bytes) else { return }
        memory = min(memory ?? .max, bytes)
    }

    private mutating func limitProcessors(_ quota: String?, of period: String?) {
        guard let quota = quota.flatMap({ Int($0) }), quota > 0,
            let period = period.flatMap({ Int($0) }), period > 0
        else { return }
        processors = min(processors, max(1, quota / period))
    }
}
