// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import Logging

/// The options of every command.
struct GeneralOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object a line on standard output, and nothing else there.")
    var json = false

    @Flag(name: .shortAndLong, help: "Tell on standard error what is going on inside.")
    var verbose = false

    var output: Output { Output(isJSON: json) }

    var logger: Logger {
        let level: Logger.Level = verbose ? .debug : .warning
        return Logger(label: "edithost") { _ in StandardErrorLog(logLevel: level) }
    }

    /// Makes a host for a while, and ends its runners in order whatever happens.
    func withHost<Value: Sendable>(
        jobs: Int? = nil, _ body: (ExtensionHost) async throws -> Value
    ) async throws -> Value {
        let host = ExtensionHost(Self.configuration(jobs: jobs), logger: logger)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(host))
        } catch {
            result = .failure(error)
        }
        await host.shutDown()
        return try result.get()
    }

    private static func configuration(jobs: Int?) -> HostConfiguration {
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let configuration = HostConfiguration.standard(
            executable: executable, environment: ProcessInfo.processInfo.environment)
        return jobs.map(configuration.batch) ?? configuration
    }
}
