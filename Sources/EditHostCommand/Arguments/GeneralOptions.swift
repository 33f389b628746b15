// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import Library
import Logging

/// The options that all commands share.
struct GeneralOptions: ParsableArguments {
    @Flag(help: "Print one JSON object per line on standard output, and nothing else.")
    var json = false

    @Flag(help: "With --json: also print lines with the progress of long operations.")
    var progress = false

    @Flag(name: .shortAndLong, help: "Print diagnostics on standard error.")
    var verbose = false

    @Flag(
        help: "Run extensions and decoders without a sandbox, with your full permissions.")
    var noSandbox = false

    var output: CommandOutput { CommandOutput(isJSON: json, includesProgress: progress) }

    var logger: Logger {
        let level: Logger.Level = verbose ? .debug : .warning
        return Logger(label: "edithost") { _ in StandardErrorLog(logLevel: level) }
    }

    /// Calls a closure with a host, and shuts down its runners afterwards even if the closure throws.
    func withHost<Value: Sendable>(
        jobs: Int? = nil, memory: Int? = nil, _ body: (ExtensionHost) async throws -> Value
    ) async throws -> Value {
        var configuration = try configuration(jobs: jobs)
        configuration.memoryLimit = memory
        let host = ExtensionHost(configuration, logger: logger)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(host))
        } catch {
            result = .failure(error)
        }
        await host.shutDown()
        return try result.get()
    }

    /// Calls a closure with a host, in a task that is cancelled by signals.
    func withHost<Value: Sendable>(
        jobs: Int? = nil, memory: Int? = nil, interruption: Interruption,
        _ body: @escaping @Sendable (ExtensionHost) async throws -> Value
    ) async throws -> Value {
        try await withHost(jobs: jobs, memory: memory) { host in
            try await interruption.run { try await body(host) }
        }
    }

    /// Calls a closure with a reader of edits' values, and shuts down its runners afterwards even if the closure
    /// throws.
    func withValues(
        in library: PhotoLibrary, _ body: (EditValueReader) async throws -> Void
    ) async throws {
        let reader = EditValueReader(self, library)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(reader))
        } catch {
            result = .failure(error)
        }
        await reader.end()
        try result.get()
    }

    /// The host configuration of this program: runner and extensions at the standard locations.
    static var standardConfiguration: HostConfiguration {
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        return .standard(
            executable: executable, environment: ProcessInfo.processInfo.environment)
    }

    /// Returns the host configuration for these options. Warns if there is no sandbox.
    ///
    /// - Parameter option: Another option that was given and that excludes a sandbox.
    func configuration(
        jobs: Int? = nil, unsandboxedBy option: String? = nil
    ) throws -> HostConfiguration {
        var configuration = builtInConfiguration(unsandboxedBy: option)
        try configuration.readConfigurationFile()
        return jobs.map(configuration.batch) ?? configuration
    }

    /// Returns the host configuration for these options without the user's configuration file. Warns if there is no
    /// sandbox.
    func builtInConfiguration(unsandboxedBy option: String? = nil) -> HostConfiguration {
        let option = noSandbox ? "--no-sandbox" : option
        if let option {
            output.message(
                "warning: \(option): extensions and decoders run with your full permissions")
        }
        var configuration = Self.standardConfiguration
        configuration.sandbox = option == nil ? .required : .off
        return configuration
    }
}
