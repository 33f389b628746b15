// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ImageMetadata

@Suite("MD5")
struct MD5Tests {
    /// The test suite of RFC 1321, A.5.
    @Test(
        "MD5 gives the published digests",
        arguments: [
            ("", "D41D8CD98F00B204E9800998ECF8427E"),
            ("a", "0CC175B9C0F1B6A831C399E269772661"),
            ("abc", "900150983CD24FB0D6963F7D28E17F72"),
            ("message digest", "F96B697D7CB7938D525A2F31AAF161D0"),
            ("abcdefghijklmnopqrstuvwxyz", "C3FCD3D76192E4007DFB496CCA67E13B"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "D174AB98D277D9F5A5611C2C9F419D9F"
            ),
            (
                String(repeating: "1234567890", count: 8), "57EDF4A22BE3C955AC49DA2E2107B67A"
            ),
        ])
    func published(text: String, expected: String) {
        #expect(MD5.digest(Array(text.utf8)) == expected)
    }

    @Test(
        "MD5 agrees with md5sum for any length",
        arguments: [55, 56, 57, 63, 64, 65, 119, 120, 128, 65_400])
    func lengths(count: Int) throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/bytes"
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 251) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let result = try runProgram("/usr/bin/md5sum", [path])
        #expect(result.status == 0)
        #expect(MD5.digest(bytes) == result.output.prefix(32).uppercased())
    }
}
