// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import Logging
import TestSupport
import Testing

@testable import EditHost

/// What is said of the sandbox is true, and without it nothing is run.
@Suite("The sandbox's report")
struct SandboxReportTests {
    /// Starts a runner and asks it and the kernel what holds for it.
    private static func start(
        _ executable: String = BuildProducts.runner, sandbox: SandboxMode = .required
    ) async throws -> RunnerProcess {
        try await RunnerProcess.start(
            executable: executable, threads: 1, sandbox: sandbox, deadlines: RunnerDeadlines(),
            logger: Logger(label: "test") { _ in TestLog() })
    }

    /// The fields of a file like /proc/PID/status.
    private static func fields(_ path: String) throws -> [String: String] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var fields: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return fields
    }

    /// landlock_create_ruleset, which has the same number everywhere, asked for its version.
    private static func landlockABI() throws -> Int {
        let program = "import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))"
        let output = try runProgram("/usr/bin/env", ["python3", "-c", program]).output
        return try #require(Int(output.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test("R-20 doctor says what holds for a runner, as the kernel says it")
    func report() async throws {
        let runner = try await Self.start()
        let status = try Self.fields("/proc/\(runner.pid)/status")
        #expect(status["Seccomp"] == "2")
        #expect(status["NoNewPrivs"] == "1")
        let limits = try String(contentsOfFile: "/proc/\(runner.pid)/limits", encoding: .utf8)
        let users = try String(contentsOfFile: "/proc/\(runner.pid)/uid_map", encoding: .utf8)
        let ownUsers = try String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8)
        await runner.shutDown()

        let result = try runProgram(BuildProducts.command, ["doctor", "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        let doctor = try #require(object as? [String: Any])
        let sandbox = try #require(doctor["sandbox"] as? [String: Any])
        #expect(sandbox["seccomp"] as? Bool == true)
        #expect(sandbox["noNewPrivileges"] as? Bool == true)
        #expect(sandbox["landlockABI"] as? Int == (try Self.landlockABI()))
        let namespaces = try #require(sandbox["namespaces"] as? [String])
        #expect(namespaces.contains("user") == (users != ownUsers))
        for (name, row) in [
            ("addressSpace", "Max address space"), ("fileSize", "Max file size"),
            ("openFiles", "Max open files"),
        ] {
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix(row) })
            let value = line.dropFirst(row.count).split(separator: " ").first
            let said = try #require(sandbox[name] as? Int)
            #expect(value.map(String.init) == "\(said)")
        }
    }

    /// Whether programs can be traced here: some containers forbid it.
    private static let canTrace: Bool = {
        let result = try? runProgram("/usr/bin/env", ["strace", "-o", "/dev/null", "true"])
        return result?.status == 0
    }()

    @Test(
        "R-19 without a layer of the sandbox nothing is loaded, and the error says so",
        .enabled(if: canTrace),
        arguments: [
            "landlock_create_ruleset:error=EOPNOTSUPP", "landlock_restrict_self:error=E2BIG",
            "seccomp:error=EINVAL",
        ])
    func failClosed(fault: String) async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(TestPicture.gradient())
        let runner = studio.folder.file("runner")
        let trace = studio.folder.file("trace")
        // -D: the runner stays the host's child.
        try Data(
            """
            #!/bin/sh
            exec strace -D -f -q -o \(trace) -e inject=\(fault) \(BuildProducts.runner) "$@"

            """.utf8
        ).write(to: URL(fileURLWithPath: runner))
        try #require(chmod(runner, 0o700) == 0)
        var configuration = studio.host.configuration
        configuration.runnerExecutable = runner
        let host = ExtensionHost(configuration, logger: studio.host.logger)
        let request = EditRequest(extensionName: "adder")
        let error = await #expect(throws: HostError.self) {
            try await host.edit([asset], request, in: studio.library)
        }
        #expect(error?.code == .sandboxUnavailable)
        #expect(error?.description.contains("sandbox unavailable: ") == true)
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        let calls = try await Self.finishedTrace(trace)
        #expect(calls.contains("INJECTED"))
        // It took no message, so it has never had the library.
        #expect(!calls.contains("recvmsg("))
        await host.shutDown()
        await studio.host.shutDown()

        for _ in 1...2 {
            let result = try runProgram(BuildProducts.command, ["doctor", "--no-sandbox"])
            #expect(result.errors.contains("warning: --no-sandbox"))
        }
    }

    /// What the tracer wrote, once it has seen the end.
    private static func finishedTrace(_ path: String) async throws -> String {
        for _ in 0..<3000 {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            if text.contains("+++ exited with 70 +++") { return text }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("the runner has not ended with status 70")
        return ""
    }
}
