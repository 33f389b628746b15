// SPDX-License-Identifier: Apache-2.0

import Library

/// What a re-rendering is going to do, found out before anything is rendered.
public struct RerenderPlan: Sendable {
    /// Why pictures are stale, in words, and how many are for this reason; the most frequent first.
    public let reasons: [(reason: String, count: Int)]
    /// How many are up to date.
    public let upToDateCount: Int
    /// What cannot be rendered, in the order of the assets, with the reason.
    public let failures: [RerenderResult]

    /// How many pictures are made again.
    public var staleCount: Int { reasons.map(\.count).reduce(0, +) }
    /// Those that cannot be rendered for want of an extension that can be used.
    public var missing: [RerenderResult] {
        failures.filter { ($0.error as? HostError)?.extensionIdentifier != nil }
    }

    init(_ results: [RerenderResult], knownUpToDate: Int) {
        let stale = results.filter { $0.status == .stale }
        reasons = Dictionary(grouping: stale, by: \.reason).map { ($0.key, $0.value.count) }
            .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
        upToDateCount = knownUpToDate + results.count { $0.status == .upToDate }
        failures = results.filter { $0.status == .failed }
    }
}
