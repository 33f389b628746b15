// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import Logging
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// Trust and quarantine if their files cannot be written.
@Suite("unwritable configuration folder")
struct UnwritableConfigurationTests {
    private static let library = SHA256Digest(hex: String(repeating: "0a", count: 32))

    /// Makes all later writes of this process to files fail.
    private static func fillDisk() {
        signal(SIGXFSZ, SIG_IGN)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &none)
    }

    @Test("a failure that cannot be stored counts once in this host")
    func failures() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let library = try #require(Self.library)
            let quarantine = Quarantine(
                folder: folder.path,
                logger: Logger(label: "test") { _ in TestLog() })
            quarantine.recordFailure(of: library, library: library, "org.example.adder", "first")
            Self.fillDisk()
            quarantine.recordFailure(of: library, library: library, "org.example.adder", "second")
            guard quarantine.entry(of: library)?.failures == 2 else { exit(2) }
        }
    }

    @Test("trust that cannot be stored is neither granted nor revoked")
    func trust() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let library = try #require(Self.library)
            let trust = ExtensionTrust(shippedFile: nil, folder: folder.path)
            let trusting = ExtensionTrust(shippedFile: nil, folder: folder.path)
            try trusting.trust(library, of: "org.example.adder")
            let third = try #require(SHA256Digest(hex: String(repeating: "0c", count: 32)))
            // Without another entry the list would be empty, with nothing to write.
            let other = try #require(SHA256Digest(hex: String(repeating: "0b", count: 32)))
            try trusting.trust(other, of: "org.example.other")
            Self.fillDisk()
            // A failure in this process can only be reported by its exit status.
            if (try? trust.trust(third, of: "org.example.third")) != nil { exit(2) }
            if (try? trusting.withdraw(from: "org.example.adder")) != nil { exit(3) }
            guard trust.level(of: third) == .none, trusting.level(of: library) == .user else {
                exit(4)
            }
        }
    }
}
