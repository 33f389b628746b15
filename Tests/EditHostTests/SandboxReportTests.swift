// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import Logging
import RunnerProtocol
import Testing
import TestSupport

@testable import EditHost
@testable import RunnerHost

/// The sandbox is reported correctly, and without it nothing is run.
@Suite("sandbox report")
struct SandboxReportTests {
    private static func start(
        _ executable: String = BuildProducts.runner, sandbox: SandboxLevel = .complete
    ) async throws -> RunnerProcess {
        try await RunnerProcess.start(
            executable: executable, threads: 1, sandbox: sandbox, timeouts: RunnerTimeouts(),
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

    /// The ABI version returned by landlock_create_ruleset, whose call number is the same
    /// everywhere.
    private static func landlockABI() throws -> Int {
        let program = "import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))"
        let output = try runProgram("/usr/bin/env", ["python3", "-c", program]).output
        return try #require(Int(output.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test("doctor reports the kernel's own view of a runner's restrictions")
    func report() async throws {
        let runner = try await Self.start()
        let status = try Self.fields("/proc/\(runner.pid)/status")
        #expect(status["Seccomp"] == "2")
        #expect(status["NoNewPrivs"] == "1")
        let limits = try String(contentsOfFile: "/proc/\(runner.pid)/limits", encoding: .utf8)
        let users = try String(contentsOfFile: "/proc/\(runner.pid)/uid_map", encoding: .utf8)
        let ownUsers = try String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8)
        func namespace(_ name: String, of process: String) -> String? {
            try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/\(process)/ns/\(name)")
        }
        // Only root can read the namespaces of a process that cannot be traced.
        let separate = [("network", "net"), ("ipc", "ipc"), ("user", "user")].compactMap {
            (said, kernel) -> (String, Bool)? in
            namespace(kernel, of: "\(runner.pid)").map {
                (said, $0 != namespace(kernel, of: "self"))
            }
        }
        await runner.shutDown()

        let doctor = try Self.doctor()
        #expect(doctor["libvips"] as? String == runner.facts?.vipsVersion)
        let loaders = try #require(doctor["loaders"] as? [String])
        #expect(loaders.contains("jpegload_source") && !loaders.contains("svgload_source"))
        let sandbox = try #require(doctor["sandbox"] as? [String: Any])
        #expect(sandbox["seccomp"] as? Bool == true)
        #expect(sandbox["noNewPrivileges"] as? Bool == true)
        #expect(sandbox["landlockABI"] as? Int == (try Self.landlockABI()))
        let namespaces = try #require(sandbox["namespaces"] as? [String])
        #expect(namespaces.contains("user") == (users != ownUsers))
        for (name, isOwn) in separate { #expect(namespaces.contains(name) == isOwn) }
        #expect((sandbox["threads"] as? Int != nil) == namespaces.contains("user"))
        for (name, row) in [
            ("addressSpace", "Max address space"), ("fileSize", "Max file size"),
            ("openFiles", "Max open files"), ("threads", "Max processes"),
        ] where sandbox[name] is Int || name != "threads" {
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix(row) })
            let value = line.dropFirst(row.count).split(separator: " ").first
            let said = try #require(sandbox[name] as? Int)
            #expect(value.map(String.init) == "\(said)")
        }
    }

    /// The report of `doctor`, with a configuration folder.
    private static func doctor(configuration: String? = nil) throws -> [String: Any] {
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_CONFIG_HOME"] = configuration ?? "/nonexistent"
        let result = try runProgram(
            BuildProducts.command, ["doctor", "--json"], environment: environment)
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        return try #require(object as? [String: Any])
    }

    /// A folder for XDG_CONFIG_HOME.
    private static func configuration(_ text: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("edithost"), withIntermediateDirectories: false)
        try folder.write(Data(text.utf8), to: "edithost/config.json")
        return folder
    }

    @Test("doctor prints the built-in and configured budgets")
    func budgets() throws {
        let builtIn = ExtensionBudget()
        let first = try #require(try Self.doctor()["budgets"] as? [String: [String: Int]])
        #expect(
            first == [
                "default": [
                    "memoryBytes": Int(builtIn.memory), "cpuSeconds": builtIn.processorSeconds,
                    "wallClockSeconds": 300, "outputBytes": Int(builtIn.outputBytes),
                    "threads": builtIn.threads, "files": builtIn.files,
                ]
            ])
        let folder = try Self.configuration(
            "{\"budgets\": {\"org.example.x\": {\"cpuSeconds\": 7}}}")
        let second = try #require(
            try Self.doctor(configuration: folder.path)["budgets"] as? [String: [String: Int]])
        #expect(second["default"] == first["default"])
        #expect(second["org.example.x"]?["cpuSeconds"] == 7)
        #expect(second["org.example.x"]?["threads"] == builtIn.threads)
    }

    @Test("doctor prints the allowed video containers, codecs and protocols")
    func media() throws {
        let found = try Self.doctor()
        #expect((found["mediaProtocols"] as? [String]) == [])
        let names = try #require(found["mediaCodecs"] as? [[String: Any]])
            .flatMap { $0["abilities"] as? [String] ?? [] }.joined(separator: " ")
        for name in ["h264", "hevc", "vp8", "vp9", "av1", "mjpeg", "prores", "mpeg4", "matroska"] {
            #expect(names.contains(name), "\(name) is not in \(names)")
        }
        let text = try runProgram(BuildProducts.command, ["doctor"]).output
        #expect(
            text.split(separator: "\n").contains {
                $0.split(separator: " ") == ["protocols", "none"]
            })
    }

    @Test("an invalid configuration ends a command with the name of the key")
    func badConfiguration() throws {
        let folder = try Self.configuration("{\"budgets\": {\"default\": {\"cpu\": 7}}}")
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_CONFIG_HOME"] = folder.path
        let result = try runProgram(BuildProducts.command, ["doctor"], environment: environment)
        #expect(result.status == 65)
        #expect(result.errors.contains("budgets.default.cpu is unknown"))
    }

    private static let faults = [
        "landlock_create_ruleset:error=EOPNOTSUPP", "landlock_restrict_self:error=E2BIG",
        "seccomp:error=EINVAL",
    ]

    @Test(
        "without a sandbox layer no extension is loaded, and the error names the layer",
        .enabled(if: FaultyRunner.canTrace, "strace cannot trace here"), arguments: faults)
    func failClosed(fault: String) async throws {
        let studio = try TestStudio(trusted: false)
        let asset = try await studio.add(TestPicture.gradient())
        let runner = try FaultyRunner(fault, in: studio.folder)
        var configuration = studio.host.configuration
        configuration.runnerExecutable = runner.path
        let host = ExtensionHost(configuration, logger: studio.host.logger)
        let request = EditRequest(extensionName: "adder")
        let error = await #expect(throws: HostError.self) {
            try await host.edit([asset], request, in: studio.library)
        }
        #expect(error?.code == .sandboxUnavailable)
        #expect(error?.description.contains("sandbox unavailable: ") == true)
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        for calls in try await runner.traces(endedWith: 70) {
            #expect(calls.contains("INJECTED"))
            // It received no message, so it never had the library.
            #expect(!calls.contains("recvmsg("))
        }
        await host.shutDown()
        await studio.host.shutDown()

        for _ in 1...2 {
            let result = try runProgram(BuildProducts.command, ["doctor", "--no-sandbox"])
            #expect(result.errors.contains("warning: --no-sandbox"))
        }
    }

    @Test(
        "without a layer pictures are still opened, with a warning at every start",
        .enabled(if: FaultyRunner.canTrace, "strace cannot trace here"),
        arguments: zip(faults, ["Landlock", "Landlock", "seccomp"])
    )
    func bestEffort(fault: String, layer: String) async throws {
        let folder = try TemporaryFolder()
        let runner = try FaultyRunner(fault, in: folder)
        let studio = try TestStudio(configure: { $0.runnerExecutable = runner.path })
        let asset = try await studio.add(TestPicture.gradient())
        let facts = try await studio.host.runnerFacts()
        #expect(facts.sandbox.missingLayers == [layer])
        #expect(!facts.sandbox.isComplete)
        func warnings() -> Int {
            studio.log.lines.filter { $0.contains("without \(layer);") }.count
        }
        #expect(warnings() == 1)
        // It serves trusted extensions only.
        try await studio.edit(asset)
        await studio.host.shutDown()
        #expect(warnings() == 1)
        try Data().write(to: URL(fileURLWithPath: studio.folder.file("trusted.sha256")))
        let strict = try studio.otherHost(trusted: false)
        _ = try await strict.runnerFacts()
        #expect(warnings() == 2)
        let error = await #expect(throws: HostError.self) {
            try await strict.edit([asset], EditRequest(extensionName: "adder"), in: studio.library)
        }
        #expect(error?.code == .sandboxUnavailable)
        await strict.shutDown()
    }

    @Test(
        "without namespaces extensions still run, and the report shows it",
        .enabled(if: FaultyRunner.canTrace, "strace cannot trace here"))
    func withoutNamespaces() async throws {
        let folder = try TemporaryFolder()
        let faulty = try FaultyRunner("unshare:error=EPERM", in: folder)
        let studio = try TestStudio(configure: { $0.runnerExecutable = faulty.path })
        let asset = try await studio.add(TestPicture.gradient())
        try await studio.edit(asset)
        let sandbox = try await studio.host.runnerFacts().sandbox
        #expect(sandbox.isComplete)
        #expect(sandbox.namespaces == [])
        #expect(sandbox.threads == nil)
        await studio.host.shutDown()
    }

    @Test("a runner has no capabilities and is first to be killed when memory runs out")
    func privileges() async throws {
        let runner = try await Self.start()
        let status = try Self.fields("/proc/\(runner.pid)/status")
        for name in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
            #expect(status[name] == "0000000000000000", "\(name)")
        }
        let facts = try #require(runner.facts)
        if facts.sandbox.namespaces.contains("user") {
            #expect(status["CapBnd"] == "0000000000000000")
        }
        let score = try String(contentsOfFile: "/proc/\(runner.pid)/oom_score_adj", encoding: .utf8)
        #expect(score == "1000\n")
        await runner.shutDown()
    }

    @Test("runners survive the end of the thread that requested them")
    func spawningThread() async throws {
        // The kernel kills runners together with the thread that started them, so this thread must
        // stay.
        let first = await SpawnThread.shared.run { pthread_self() }
        let asked = try await withCheckedThrowingContinuation { continuation in
            Thread {
                let done = DispatchSemaphore(value: 0)
                Task {
                    let result: Result<RunnerProcess, any Error>
                    do {
                        result = .success(try await Self.start())
                    } catch {
                        result = .failure(error)
                    }
                    done.signal()
                    continuation.resume(with: result)
                }
                done.wait()
            }.start()
        }
        let second = await SpawnThread.shared.run { pthread_self() }
        #expect(first == second)
        let reply = try await asked.request(
            .canHandle(AdjustmentData(formatIdentifier: "a", formatVersion: "1", data: Data([1]))),
            timeout: .seconds(60))
        guard case .failed = reply else {
            Issue.record("\(reply)")
            return
        }
        await asked.shutDown()
    }
}
