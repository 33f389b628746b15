// SPDX-License-Identifier: Apache-2.0

/// The result of matching a user-typed name against existing names.
///
/// Input methods and file systems compose characters differently, which is invisible to users. Case differences
/// are tolerated too.
package enum NameMatch: Equatable, Sendable {
    /// Exactly one name matches.
    case one(String)
    /// No name matches.
    case none
    /// Several names match equally well.
    case several([String])

    /// Matches a name by identical bytes, otherwise by canonical equivalence, otherwise by ignoring case.
    package init(_ name: String, among names: [String]) {
        let same = names.filter { $0.isSameName(as: name) }
        for matches: (String) -> Bool in [
            { $0.utf8.elementsEqual(name.utf8) }, { $0 == name }, { _ in true },
        ] {
            let found = same.filter(matches)
            if found.count > 1 {
                self = .several(found)
                return
            }
            if let only = found.first {
                self = .one(only)
                return
            }
        }
        self = .none
    }
}

extension String {
    /// Returns `true` if two user-given names are equal, ignoring case and character composition.
    package func isSameName(as other: String) -> Bool { lowercased() == other.lowercased() }
}
