// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Glibc
import Testing

@testable import EditHost
@testable import RunnerHost

/// Attacks by an untrusted extension, which has a runner of its own.
@Suite("attacks by untrusted plug-ins")
struct UntrustedAttackTests {
    @Test(
        "untrusted plug-ins are denied every attack",
        arguments: ["files", "network", "process"], [HostileStudio.Place.start, .constructor])
    func denied(group: String, place: HostileStudio.Place) async throws {
        let studio = try await HostileStudio([group], from: place, trusted: false)
        let outcome = try await studio.attack()
        #expect(outcome.succeeded == [])
        #expect(!outcome.attempts.isEmpty)
        try studio.expectUnharmed()
        await studio.studio.host.shutDown()
    }

    @Test("untrusted plug-ins get no file to attack")
    func noFile() async throws {
        let studio = try await HostileStudio(["input"], trusted: false)
        let outcome = try await studio.attack()
        #expect(outcome.inputs == 0)
        #expect(outcome.succeeded == [])
        try studio.expectUnharmed()
        await studio.studio.host.shutDown()
    }

    @Test("read-only memory cannot be reopened for writing")
    func memory() throws {
        let owner = try #require(SHA256Digest(hex: String(repeating: "0a", count: 32)))
        let buffer = try PixelBuffers().take(1 << 20, for: .input(owner))
        let readable = try buffer.memory.readOnly()
        var status = stat()
        try #require(fstat(readable.descriptor, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o400)
        // Root can reopen it, but runners have no capabilities.
        if geteuid() != 0 {
            #expect(open("/proc/self/fd/\(readable.descriptor)", O_RDWR) == -1 && errno == EACCES)
        }
        // The descriptor for writing can write.
        #expect(pwrite(buffer.memory.descriptor, "x", 1, 0) == 1)
    }
}
