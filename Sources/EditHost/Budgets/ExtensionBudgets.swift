// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// The budgets of all extensions. They are the host's to give: no manifest can change them.
public struct ExtensionBudgets: Hashable, Sendable {
    /// What each extension may use that is not listed.
    public var standard = ExtensionBudget()
    /// The budgets of some extensions, by their identifiers.
    public var extensions: [String: ExtensionBudget] = [:]

    /// The defaults.
    public init() {}

    /// What one extension may use.
    public func budget(for identifier: String) -> ExtensionBudget {
        extensions[identifier] ?? standard
    }

    /// What a runner may use that holds these extensions: the largest of their budgets.
    func budget(for identifiers: some Collection<String>) -> ExtensionBudget {
        let budgets = identifiers.map(budget(for:))
        guard let first = budgets.first else { return .codecs }
        return budgets.dropFirst().reduce(first) { $0.combined(with: $1) }
    }

    /// The limits of a new runner, which can be raised as far as any budget needs.
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

extension ExtensionBudget {
    /// The limit of address space that keeps to the budget: some 0.7 GiB of it are libraries and
    /// stacks that are hardly used.
    var addressSpace: UInt64 { memory + (1 << 30) }

    /// The same for a runner that may hold so many bytes besides, which it need not have mapped.
    func addressSpace(beside lent: UInt64) -> UInt64 {
        addressSpace - min(lent, memory / 2)
    }
}
