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

    /// Why pictures cannot be rendered, in words that name no asset, and how many cannot for this reason; the most frequent
    /// first.
    public var failureReasons: [(reason: String, count: Int)] {
        Self.counted(
            failures.map { result in
                guard let error = result.error as? HostError else { return result.reason }
                return (error.extensionIdentifier.map { "\($0): " } ?? "") + error.message
            })
    }

    private static func counted(_ reasons: [String]) -> [(reason: String, count: Int)] {
        Dictionary(grouping: reasons) { $0 }.map { ($0.key, $0.value.count) }
            .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    }

    init(_ results: [RerenderResult], knownUpToDate: Int) {
        let stale = results.filter { $0.status == .stale }
        reasons = Self.counted(stale.map(\.reason))
        upToDateCount = knownUpToDate + results.count { $0.status == .upToDate }
        failures = results.filter { $0.status == .failed }
    }
}
