// SPDX-License-Identifier: Apache-2.0

/// Which of the names that users have given is meant by one that a user types. Keyboards and file systems compose characters
/// in different ways, which cannot be seen, and case may be forgotten.
package enum MeantName: Equatable, Sendable {
    /// This one.
    case one(String)
    /// There is no such name.
    case none
    /// These are equally close.
    case several([String])

    /// The name of the same bytes; otherwise the one of the same characters, however they are composed; otherwise the one that
    /// differs in case.
    package init(_ name: String, among names: [String]) {
        let same = names.filter { $0.isSameName(as: name) }
        for isMeant: (String) -> Bool in [
            { $0.utf8.elementsEqual(name.utf8) }, { $0 == name }, { _ in true },
        ] {
            let found = same.filter(isMeant)
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
    /// Whether two names that users give are the same: neither case nor the composition of characters makes a difference.
    package func isSameName(as other: String) -> Bool { lowercased() == other.lowercased() }
}
