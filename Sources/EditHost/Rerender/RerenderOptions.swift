// SPDX-License-Identifier: Apache-2.0

/// The options of a re-render: which renditions to render, and with which resources.
public struct RerenderOptions: Sendable {
    /// True if renditions that are up to date are re-rendered too.
    public var force = false
    /// If true, only reports what would be done.
    public var dryRun = false
    /// The maximum number of concurrent jobs.
    public var jobs: Int
    /// The maximum memory in bytes of the pictures rendered concurrently, estimated by their sizes; `nil` for as much
    /// as ``jobs`` take. A picture that exceeds it is rendered alone.
    public var memory: Int?
    /// Notified of the progress of videos.
    public var progressHandler: EditProgressHandler?

    /// Creates the default options.
    ///
    /// - Parameter jobs: The maximum number of concurrent jobs.
    public init(jobs: Int) { self.jobs = jobs }
}
