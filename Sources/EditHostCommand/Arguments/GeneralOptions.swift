// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import Library
import Logging

/// The options of every command.
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

    var output: Output { Output(isJSON: json, tellsProgress: progress) }

    var logger: Logger {
        let level: Logger.Level = verbose ? .debug : .warning
        return Logger(label: "edithost") { _ in StandardErrorLog(logLevel: level) }
    }

    /// How many photographs are worked on at once: what is wanted, else as many as there are
    /// processors, and not more than there are photographs.
    static func jobs(_ wanted: Int?, for count: Int) -> Int {
        min(wanted ?? ProcessInfo.processInfo.activeProcessorCount, max(1, count))
    }

    /// Makes a host for a while, and ends its runners in order whatever happens.
    func withHost<Value: Sendable>(
        jobs: Int? = nil, _ body: (ExtensionHost) async throws -> Value
    ) async throws -> Value {
        if noSandbox {
            output.message(
                "warning: --no-sandbox: extensions and decoders run with your full permissions")
        }
        let host = ExtensionHost(try configuration(jobs: jobs), logger: logger)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(host))
        } catch {
            result = .failure(error)
        }
        await host.shutDown()
        return try result.get()
    }

    /// What edits of a photograph set, by their identifiers. Where no extension can be run that is why.
    func values(
        of edits: [Edit], of history: AssetHistory, in library: PhotoLibrary
    ) async throws -> [String: EditValues] {
        guard !edits.isEmpty else { return [:] }
        do {
            return try await withHost(jobs: 1) { host in
                try await host.values(of: edits, of: history, in: library)
            }
        } catch let error as HostError {
            return Dictionary(
                edits.map { ($0.identifier, EditValues.unknown(error.message)) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    /// The runner and the extensions in the usual places of this program.
    static var standardConfiguration: HostConfiguration {
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        return .standard(
            executable: executable, environment: ProcessInfo.processInfo.environment)
    }

    private func configuration(jobs: Int?) throws -> HostConfiguration {
        var configuration = Self.standardConfiguration
        try configuration.readConfigurationFile()
        configuration.sandbox = noSandbox ? .off : .required
        return jobs.map(configuration.batch) ?? configuration
    }
}
