// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Glibc
import Library
import RunnerHost
import TestSupport
import Testing

/// A table of all attacks of the hostile plug-in.
@Suite("attack matrix", .torture)
struct AttackMatrixTorture {
    /// Attacks that would end the runner or change its root folder.
    private static let unsafe: Set = ["execve", "chroot"]

    @Test("every attack is denied with the sandbox")
    func attacks() async throws {
        let victim = try Victim()
        let open = try await Column(sandbox: .off, victim: victim.pid)
        let closed = try await Column(sandbox: .required, victim: victim.pid)
        var table = AttackTable(["attack", "without sandbox", "with sandbox", "time"])
        for (group, names) in try Self.attacks() {
            table.heading(group)
            for name in names {
                let without = Self.unsafe.contains(name) ? nil : try await open.attempt(name)
                let with = try await closed.attempt(name)
                #expect(!with.isSuccess, "\(name)")
                table.row([name, without?.text ?? "not tried", with.text, with.time])
            }
        }
        #if arch(x86_64)
        table.heading("other interfaces")
        for call in ["int80", "x32"] { table.row(try await Self.foreignCall(call)) }
        #endif
        table.print()
        try closed.expectUnharmed()
        #expect(victim.isRunning)
        await open.shutDown()
        await closed.shutDown()
    }

    private static func foreignCall(_ name: String) async throws -> [String] {
        let studio = try await HostileStudio([], defines: ["SYSTEM_CALL=\(name)"])
        let start = ContinuousClock.now
        let error = await #expect(throws: HostError.self) { try await studio.attack() }
        let death = error?.underlying as? RunnerDeath
        #expect(death?.cause == .signal("SIGSYS"))
        await studio.studio.host.shutDown()
        return [
            name, "not tried", death.map { "\($0)" } ?? "no end",
            AttackTable.text(.now - start),
        ]
    }

    /// The names of the attacks by group, as listed in `attacks.h`.
    private static func attacks() throws -> [(String, [String])] {
        let source = try String(
            contentsOfFile:
                "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/attacks.h",
            encoding: .utf8)
        let entry = /ATTACK\("(\w+)", (\w+)\)/
        let found = source.matches(of: entry).map { (String($0.1), String($0.2)) }
        #expect(found.count > 60)
        return ["files", "input", "network", "process"].map { group in
            (group, found.filter { $0.0 == group }.map(\.1))
        }
    }

    @Test("every crash, exit and hang fails only its own edit and is named")
    func ends() async throws {
        let studio = try TestStudio()
        // The default deadlines suit honest edits on a busy machine.
        let attacked = try studio.otherHost { $0.timeouts.render = .seconds(2) }
        var table = AttackTable(["fault mode", "the edit fails with", "time"])
        for mode in FaultMode.all {
            let asset = try await studio.add(.gradient(seed: mode.seed))
            let start = ContinuousClock.now
            let error = await #expect(throws: HostError.self, "\(mode.name)") {
                let request = EditRequest(extensionName: "adder", values: ["mode": mode.name])
                _ = try await attacked.edit([asset], request, in: studio.library)
            }
            let said =
                (error?.underlying as? RunnerDeath).map { "\($0)" } ?? "\(error?.code as Any)"
            #expect(mode.isNamed(in: said), "\(mode.name): \(said)")
            table.row([mode.name, said, AttackTable.text(.now - start)])
            let next = try await studio.edit(asset, "adder", ["amount": "3"])
            #expect(next.status == .committed)
        }
        table.print()
        for host in [attacked, studio.host] { await host.shutDown() }
    }
}

/// A library that is attacked with or without a sandbox.
private final class Column {
    private let studio: HostileStudio
    private let sentinel: String
    private let inputAttempts: [HostileStudio.Attempt]
    private var count = 0

    init(sandbox: SandboxMode, victim: pid_t) async throws {
        // The input's descriptors are open only while the edit starts.
        let input = try await HostileStudio(["input"], configure: { $0.sandbox = sandbox })
        inputAttempts = try await input.attack().attempts
        if sandbox == .required { try input.expectUnharmed() }
        await input.studio.host.shutDown()
        studio = try await HostileStudio(
            [], from: .parameters, victim: victim, configure: { $0.sandbox = sandbox })
        sentinel = studio.studio.folder.file("sentinel")
    }

    /// Makes one attack in an edit of a new picture.
    func attempt(_ name: String) async throws -> HostileStudio.Attempt {
        if let known = inputAttempts.first(where: { $0.name == name }) { return known }
        if !FileManager.default.fileExists(atPath: sentinel) {
            try Data("Do not touch".utf8).write(to: URL(fileURLWithPath: sentinel))
        }
        count += 1
        let picture = TestPicture.gradient(width: 40 + count)
        let asset = try await studio.studio.add(picture.encoded(), named: "attacked.png")
        let outcome = try await studio.attack(with: name, on: asset)
        let attempt = try #require(outcome.attempts.last)
        try #require(attempt.name == name)
        return attempt
    }

    func expectUnharmed() throws {
        try FileManager.default.removeItem(atPath: studio.studio.folder.file("attacked.png"))
        try studio.expectUnharmed()
    }

    func shutDown() async { await studio.studio.host.shutDown() }
}

extension HostileStudio.Attempt {
    fileprivate var text: String {
        isSuccess ? "SUCCEEDED" : error == 0 ? "nothing found" : "denied \(Self.name(of: error))"
    }

    fileprivate var time: String { "\(max(1, nanoseconds / 1000)) us" }

    /// The name of an `errno`, as in C.
    private static func name(of number: Int32) -> String {
        let names: [Int32: String] = [
            EPERM: "EPERM", ENOENT: "ENOENT", EACCES: "EACCES", EBADF: "EBADF", EINVAL: "EINVAL",
            ENOSYS: "ENOSYS", ENOTSUP: "ENOTSUP", EFAULT: "EFAULT", ESRCH: "ESRCH",
            EXDEV: "EXDEV", EEXIST: "EEXIST", ENOTDIR: "ENOTDIR", EAGAIN: "EAGAIN",
        ]
        return names[number] ?? String(cString: strerror(number))
    }
}

/// A process to attack.
private final class Victim {
    private let process = Process()
    var pid: pid_t { process.processIdentifier }

    init() throws {
        process.executableURL = URL(fileURLWithPath: "/bin/sleep")
        process.arguments = ["600"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    var isRunning: Bool { process.isRunning }
}
