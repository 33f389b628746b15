// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ExtensionIndex {
    /// Whether a version is newer than another, in the order of Semantic Versioning 2.0, section 11.
    ///
    /// Versions need not have three numbers; missing ones count as 0. Other text in them is compared as by
    /// `String.compare` with the option `numeric`.
    static func isNewer(_ version: String, than other: String) -> Bool {
        let (one, two) = (parts(of: version), parts(of: other))
        for index in 0..<max(one.numbers.count, two.numbers.count) {
            let left = index < one.numbers.count ? one.numbers[index] : "0"
            let right = index < two.numbers.count ? two.numbers[index] : "0"
            let order = left.compare(right, options: .numeric)
            if order != .orderedSame { return order == .orderedDescending }
        }
        // A pre-release precedes its release.
        guard let left = one.preRelease, let right = two.preRelease else {
            return one.preRelease == nil && two.preRelease != nil
        }
        return right.lexicographicallyPrecedes(left, by: precedes)
    }

    /// Returns the dot-separated identifiers of a version, without build metadata.
    private static func parts(
        of version: String
    ) -> (numbers: [String], preRelease: [String]?) {
        let withoutBuild = version.prefix { $0 != "+" }
        let core = withoutBuild.prefix { $0 != "-" }
        let preRelease = withoutBuild.dropFirst(core.count)
        func identifiers(_ text: Substring) -> [String] {
            text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        }
        return (
            identifiers(core), preRelease.isEmpty ? nil : identifiers(preRelease.dropFirst())
        )
    }

    /// Whether an identifier of a pre-release precedes another: numbers by value and before text, text by ASCII.
    private static func precedes(_ identifier: String, _ other: String) -> Bool {
        switch (number(identifier), number(other)) {
        case (let left?, let right?):
            (left.count, left) < (right.count, right)
        case (nil, nil): identifier.utf8.lexicographicallyPrecedes(other.utf8)
        case (let left, _): left != nil
        }
    }

    /// Returns the digits of a number without leading zeros, because it may be too large for an integer.
    private static func number(_ identifier: String) -> String? {
        guard !identifier.isEmpty, identifier.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return String(identifier.drop { $0 == "0" })
    }
}
