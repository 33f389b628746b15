// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import FileAccess
import Foundation
import JSONOutput
import Library
import Logging
import RunnerHost
import Studio
import StudioArguments

/// `edithost studio`: runs the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the server (default).", shouldDisplay: false)

    @OptionGroup var libraryOptions: LibraryOption
    @OptionGroup var output: OutputOptions

    @OptionGroup var arguments: StudioArguments

    @Option(help: .hidden)
    var web: String?

    func run() async throws {
        let library = try libraryOptions.open(readOnly: arguments.readOnly)
        defer { try? library.close() }
        let environment = ProcessInfo.processInfo.environment
        let preferredAddress = try PreferredStudioAddress(of: library, environment)
        var configuration = StudioConfiguration(
            hostName: arguments.host ?? preferredAddress.hostName,
            port: arguments.port ?? preferredAddress.port,
            webFolder: try web ?? WebFolder.path(), tokenFolder: preferredAddress.tokenFolder)
        configuration.isReadOnly = arguments.readOnly
        if let listen = arguments.listen, let certificate = arguments.certificate,
            let key = arguments.key
        {
            configuration.listening = .init(address: listen, certificate: certificate, key: key)
        }
        let extensionHost = ExtensionHost(
            try Self.hostConfiguration(environment), logger: output.logger)
        do {
            let server = try Self.server(
                configuration, isPortOptional: arguments.port == nil, library, extensionHost,
                output.logger)
            preferredAddress.save(server.address)
            defer { server.runningStudios.forget(server.address.url) }
            try await server.run { await ready(server) }
        } catch {
            await extensionHost.shutDown()
            throw error
        }
        await extensionHost.shutDown()
    }

    /// Prepares the server. If the kept port is in use, another one is chosen.
    private static func server(
        _ configuration: StudioConfiguration, isPortOptional: Bool, _ library: PhotoLibrary,
        _ host: ExtensionHost, _ logger: Logger
    ) throws -> StudioServer {
        do {
            return try StudioServer(configuration, library: library, host: host, logger: logger)
        } catch let error as HostError where error.code == .busy && isPortOptional {
            var configuration = configuration
            configuration.port = 0
            return try StudioServer(configuration, library: library, host: host, logger: logger)
        }
    }

    private static func hostConfiguration(
        _ environment: [String: String]
    ) throws -> HostConfiguration {
        var configuration = HostConfiguration.standard(
            executable: WebFolder.executable, environment: environment)
        try configuration.readConfigurationFile()
        return configuration
    }

    private func ready(_ server: StudioServer) async {
        try? server.runningStudios.record(server.address.url)
        let page = try? server.tokens.issuePage(for: server.address.url)
        output.print(
            [
                "url": server.address.url, "port": server.address.port, "pid": getpid(),
                "login": page,
            ],
            arguments.noOpen
                ? "\(server.address.url) is ready; to log in, open \(page ?? "edithost studio login")"
                : "\(server.address.url) is ready; Ctrl-C stops it")
        if let page, !arguments.noOpen { Browser.open(page) }
    }
}
