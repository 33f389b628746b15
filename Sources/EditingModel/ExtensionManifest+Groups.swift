// SPDX-License-Identifier: Apache-2.0

extension ExtensionManifest {
    /// The parameters by group: first the ungrouped ones, then the groups in order of first use.
    ///
    /// Groups are identical if their default (English) titles are equal. The first parameter of a group
    /// supplies the translations.
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
