// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import Library
import Logging
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// A host with open files that are not marked close-on-exec.
@Suite("leaked descriptors")
struct LeakedDescriptorTests {
    @Test("a runner that writes to every descriptor changes no file")
    func writing() async throws {
        let studio = try await HostileStudio(["leaks"])
        let blob = try #require(
            try studio.studio.library.history(ofAsset: studio.asset).original?.blob)
        let leaks = [
            open(studio.studio.folder.file("sentinel"), O_RDWR),
            open("\(studio.studio.library.path)/library.sqlite", O_RDWR),
            open(studio.studio.blobPath(blob), geteuid() == 0 ? O_RDWR : O_RDONLY),
        ]
        defer { leaks.forEach { close($0) } }
        #expect(leaks.allSatisfy { $0 >= 0 && fcntl($0, F_GETFD) & FD_CLOEXEC == 0 })
        let outcome = try await studio.attack()
        #expect(outcome.attempts.map(\.name) == ["leaks"])
        #expect(outcome.succeeded == [])
        try studio.expectUnharmed()
        #expect(try studio.studio.library.check().findings.isEmpty)
        await studio.studio.host.shutDown()
    }

    @Test(
        "a runner has descriptors 0 to 3 and no others",
        .root)
    func listing() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data("secret".utf8), to: "secret")
        let leaks = (0..<3).map { _ in open(path, O_RDWR) }
        defer { leaks.forEach { close($0) } }
        let runner = try await RunnerProcess.start(
            executable: BuildProducts.runner, threads: 2, sandbox: .complete,
            timeouts: RunnerTimeouts(), logger: Logger(label: "test") { _ in TestLog() })
        let fds = "/proc/\(runner.pid)/fd"
        var targets: [Int: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: fds) {
            let number = try #require(Int(name))
            targets[number] = try FileManager.default.destinationOfSymbolicLink(
                atPath: "\(fds)/\(name)")
        }
        await runner.shutDown()
        #expect(targets[0] == "/dev/null")
        #expect(targets[1]?.hasPrefix("pipe:") == true && targets[1] == targets[2])
        #expect(targets[3]?.hasPrefix("socket:") == true)
        // The others are made by libvips or the runtime, and lead to nothing of the host.
        let own = targets.filter { $0.key > 3 }.values
        #expect(own.allSatisfy { $0.hasPrefix("anon_inode:") }, "\(targets)")
    }
}
