// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// The budgets of all extensions. They are set by the host; manifests cannot change them.
public struct ExtensionBudgets: Hashable, Sendable {
    /// The budget of extensions that are not listed.
    public var standard = ExtensionBudget()
    /// The budgets of listed extensions, by identifier.
    public var extensions: [String: ExtensionBudget] = [:]

    /// Creates budgets with the defaults.
    public init() {}

    /// Returns the budget of an extension.
    public func budget(for identifier: String) -> ExtensionBudget {
        extensions[identifier] ?? standard
    }

    /// Returns the budget of a runner that has loaded extensions: the largest value of each limit.
    func budget(for identifiers: some Collection<String>) -> ExtensionBudget {
        let budgets = identifiers.map(budget(for:))
        guard let first = budgets.first else { return .codecs }
        return budgets.dropFirst().reduce(first) { $0.combined(with: $1) }
    }

    /// The limits of a new runner. They can be raised later, up to the largest of any budget.
    var limits: RunnerLimits {
        let now = ExtensionBudget.codecs
        let most = extensions.values.reduce(now.combined(with: standard)) {
            $0.combined(with: $1)
        }
        return RunnerLimits(
            addressSpace: .init(now: now.addressSpace, most: most.addressSpace),
            fileSize: .init(now: now.outputBytes, most: most.outputBytes),
            threads: .init(now: UInt64(now.threads), most: UInt64(most.threads)))
    }
}
