// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RunnerHost

/// The order of versions in an index of extensions.
@Suite("versions of extensions")
struct ExtensionVersionTests {
    @Test(
        "versions are ordered as by Semantic Versioning",
        arguments: [
            // The examples of section 11 of the specification.
            ["1.0.0", "2.0.0", "2.1.0", "2.1.1"],
            [
                "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
                "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0",
            ],
            // Numbers that are no integers of this machine, hyphens, and versions of other lengths.
            ["1.0.0-9", "1.0.0-99999999999999999999", "1.0.0-100000000000000000000"],
            ["1.0.0--", "1.0.0-a-b", "1.0.0-a-c"],
            ["1.9", "1.10-rc.1", "1.10", "1.10.1", "1.11-beta+1", "1.11", "2"],
            ["1.0b9", "1.0b10", "1.1"],
        ])
    func order(versions: [String]) {
        for (index, version) in versions.enumerated() {
            for (otherIndex, other) in versions.enumerated() {
                #expect(
                    ExtensionIndex.isNewer(version, than: other) == (index > otherIndex),
                    "\(version) and \(other)")
            }
        }
    }

    @Test(
        "neither of two versions is newer if they differ in build metadata or in missing numbers",
        arguments: [
            ("1.0.0", "1.0.0+5"), ("1.0.0-beta+exp.sha.5114f85", "1.0.0-beta+2"), ("1", "1.0.0"),
            ("1.0-rc.01", "1.0.0-rc.1"),
        ])
    func equal(version: String, other: String) {
        #expect(!ExtensionIndex.isNewer(version, than: other))
        #expect(!ExtensionIndex.isNewer(other, than: version))
    }
}
