// SPDX-License-Identifier: Apache-2.0

/// Parameters that belong together in a form.
public struct ParameterGroup: Hashable, Sendable {
    /// What it is called; nil: those of no group.
    public let title: LocalizedText?
    /// The parameters, in the manifest's order.
    public let parameters: [ExtensionParameter]
}

extension ExtensionManifest {
    /// The parameters by their groups: first those of none, then the groups in the order in which
    /// parameters name them. Two name the same group where its text for a user without a language is
    /// the same: the English one. The first says what it is called in other languages.
    public var parameterGroups: [ParameterGroup] {
        let byName = Dictionary(grouping: parameters, by: \.groupName)
        var seen: Set<String?> = [nil]
        let names = [nil] + parameters.map(\.groupName).filter { seen.insert($0).inserted }
        return names.compactMap { name in
            byName[name].map { ParameterGroup(title: $0.first?.group, parameters: $0) }
        }
    }
}

extension ExtensionParameter {
    fileprivate var groupName: String? { group?.text(for: []) }
}
