// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Glibc
import Library
import TestSupport
import Testing

/// A hostile plug-in can do no harm.
@Suite("sandbox against a hostile plug-in")
struct SandboxTests {
    /// Makes attacks, none of which may succeed or change anything.
    private func expectDenied(
        _ attacks: [String], from place: HostileStudio.Place = .start,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> HostileStudio.Outcome {
        let studio = try await HostileStudio(attacks, from: place)
        let outcome = try await studio.attack()
        #expect(outcome.succeeded == [], sourceLocation: sourceLocation)
        #expect(outcome.threads > 0, sourceLocation: sourceLocation)
        try studio.expectUnharmed(sourceLocation: sourceLocation)
        await studio.studio.host.shutDown()
        return outcome
    }

    private static let everything = ["files", "input", "network", "process"]

    @Test("without the sandbox the same attacks succeed")
    func control() async throws {
        let victim = Process()
        victim.executableURL = URL(fileURLWithPath: "/bin/sleep")
        victim.arguments = ["600"]
        victim.standardOutput = FileHandle.nullDevice
        victim.standardError = FileHandle.nullDevice
        try victim.run()
        // It may have inherited an ignored SIGTERM.
        defer { kill(victim.processIdentifier, SIGKILL) }
        let attacks = [
            "read", "passwd", "write", "chmod", "utime", "mkfile", "mktmp", "mkdir", "listdir",
            "plugins", "environ", "input_futimens", "input_flock", "unix",
            "socketpair", "fork", "vfork", "spawn", "system", "kill", "pidfd", "setown", "prlimit",
            "nice", "pdeathsig", "dumpable", "memfd", "unlink",
        ]
        let studio = try await HostileStudio(
            attacks, victim: victim.processIdentifier, configure: { $0.sandbox = .off })
        let outcome = try await studio.attack()
        #expect(Set(outcome.succeeded) == Set(attacks))
        await studio.studio.host.shutDown()
    }

    @Test("a library's constructors are denied files, network and processes")
    func constructor() async throws {
        _ = try await expectDenied(Self.everything, from: .constructor)
    }

    @Test("every attack from libvips worker threads is denied")
    func workerThreads() async throws {
        let outcome = try await expectDenied(Self.everything, from: .workers)
        #expect(outcome.threads > 1)
    }

    @Test("reading, changing, creating and removing files and listing folders is denied")
    func files() async throws { _ = try await expectDenied(["files"]) }

    @Test("the input is read-only, and reading it does not move a shared offset")
    func input() async throws {
        let studio = try await HostileStudio(["input"])
        let history = try studio.studio.library.history(ofAsset: studio.asset)
        let blob = try #require(history.original?.blob)
        let file = try studio.studio.library.openBlob(blob)
        let whole = try file.read(count: file.byteCount())
        var first = [UInt8](repeating: 0, count: 20)
        try #require(lseek(file.descriptor, 0, SEEK_SET) == 0)
        try #require(read(file.descriptor, &first, 20) == 20)
        let outcome = try await studio.attack()
        #expect(outcome.succeeded == [])
        #expect(outcome.inputs > 0)
        var second = [UInt8](repeating: 0, count: 20)
        #expect(read(file.descriptor, &second, 20) == 20)
        #expect(Data(first + second) == whole.prefix(40))
        try studio.expectUnharmed()
        await studio.studio.host.shutDown()
    }

    @Test("sockets, shared memory and connections are denied")
    func network() async throws {
        let internet = try Listener.internet()
        let name = "edithost-test-\(UUID().uuidString)"
        let local = try Listener.abstract(name)
        let studio = try await HostileStudio(["network"], port: internet.port, name: name)
        let outcome = try await studio.attack()
        #expect(outcome.succeeded == [])
        #expect(!internet.wasCalled)
        #expect(!local.wasCalled)
        await studio.studio.host.shutDown()
    }

    @Test("creating and reaching processes is denied, and the host keeps its limits")
    func processes() async throws {
        let before = try HostState()
        _ = try await expectDenied(["process"])
        #expect(try HostState() == before)
    }

    @Test("a plug-in sees no host name if its runner has its own namespaces")
    func hostName() async throws {
        let studio = try await HostileStudio(["machine"])
        let namespaces = try await studio.studio.host.runnerFacts().sandbox.namespaces
        let own = ProcessInfo.processInfo.hostName
        let outcome = try await studio.attack()
        #expect(outcome.attempts.map(\.name) == ["hostname"])
        #expect(
            outcome.succeeded == (namespaces.isEmpty && own != "localhost" ? ["hostname"] : []))
        await studio.studio.host.shutDown()
    }

    @Test("a plug-in sees neither the host's working folder nor its environment")
    func startingPlace() async throws {
        let folder = FileManager.default.currentDirectoryPath
        try #require(folder != "/")
        let names = ["getcwd", "cwd_link", "variables"]
        for mode in [SandboxMode.required, .off] {
            let studio = try await HostileStudio(names, configure: { $0.sandbox = mode })
            let outcome = try await studio.attack()
            #expect(outcome.attempts.map(\.name) == names)
            #expect(outcome.succeeded == [])
            await studio.studio.host.shutDown()
        }
    }

    private static let hasFonts =
        FileManager.default.fileExists(atPath: "/etc/fonts/fonts.conf")
        && FileManager.default.enumerator(atPath: "/usr/share/fonts")?.contains {
            "\($0)".hasSuffix(".ttf") || "\($0)".hasSuffix(".otf")
        } == true

    @Test(
        "a plug-in can read the system's fonts, and not write them",
        .enabled(if: hasFonts, "no fonts are installed here"), arguments: [true, false])
    func fonts(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildGrowth(defines: ["FONTS"], in: $0) },
            trusted: isTrusted)
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "growth")
        let line = "font found 1, read 1, written 0, made 0, configuration 1"
        #expect(studio.log.lines.contains { $0.hasSuffix(line) }, "\(studio.log.lines)")
        await studio.host.shutDown()
    }

    #if arch(x86_64)
    @Test(
        "a system call through another interface ends the runner, not its thread",
        arguments: ["int80", "x32"])
    func foreignInterface(call: String) async throws {
        let studio = try await HostileStudio([], defines: ["SYSTEM_CALL=\(call)"])
        let error = await #expect(throws: HostError.self) { try await studio.attack() }
        #expect(error?.code == .extensionFailed)
        #expect(error?.description.contains("SIGSYS") == true)
        #expect(error?.extensionIdentifier == "org.example.hostile")
        try studio.expectUnharmed()
        await studio.studio.host.shutDown()
    }
    #endif
}

/// The properties of this process that a plug-in could change from outside.
private struct HostState: Equatable {
    let limits: String
    let status: [Substring]
    let priority: Int32

    init() throws {
        limits = try String(contentsOfFile: "/proc/self/limits", encoding: .utf8)
        status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            .split(separator: "\n")
            .filter { $0.hasPrefix("Cpus_allowed:") || $0.hasPrefix("TracerPid:") }
        priority = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
    }
}
