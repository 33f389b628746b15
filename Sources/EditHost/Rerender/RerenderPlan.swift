// SPDX-License-Identifier: Apache-2.0

import Library

/// The work of a re-render, determined before anything is rendered.
public struct RerenderPlan: Sendable {
    /// The reasons why renditions are stale, with the number of assets for each, most frequent first.
    public let reasons: [(reason: String, count: Int)]
    /// The number of assets that are up to date.
    public let upToDateCount: Int
    /// The assets that cannot be rendered, in order, with the reason.
    public let failures: [RerenderResult]

    /// The number of assets to re-render.
    public var staleCount: Int { reasons.map(\.count).reduce(0, +) }
    /// The assets that cannot be rendered because an extension is missing or unusable.
    public var missing: [RerenderResult] {
        failures.filter { ($0.error as? HostError)?.extensionIdentifier != nil }
    }

    /// The reasons why assets cannot be rendered, without the names of assets, with the number of assets for each.
    /// The most frequent come first.
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
