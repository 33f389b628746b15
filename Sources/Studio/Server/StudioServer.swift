// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Library
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The web server of a library.
package struct StudioServer: Sendable {
    /// The address of the page.
    package let address: StudioAddress
    /// The login tokens of the server.
    package let tokens: LoginTokens
    /// The addresses of all running studios of the library.
    package let runningStudios: RunningStudios
    let logins: LoginStore
    let router: @Sendable () -> Router<StudioContext>

    private let configuration: StudioConfiguration
    private let addresses: [String]
    private let library: PhotoLibrary
    let events: EventCenter
    let sessions: StudioSessions
    private let logger: Logger

    /// Prepares a server, and chooses its port.
    ///
    /// - Throws: `HostError` with `busy` if the port is in use, `badParameter` if the address cannot be used, or
    ///   `fileFailed`; `LibraryError`.
    package init(
        _ configuration: StudioConfiguration, library: PhotoLibrary, host: ExtensionHost,
        logger: Logger
    ) throws {
        var configuration = configuration
        let addresses: [String]
        if let listening = configuration.listening {
            addresses = [listening.address]
            configuration.port = try ListeningPort.free(
                requesting: configuration.port, on: listening.address)
        } else {
            (configuration.port, addresses) = try LoopbackPort.free(requesting: configuration.port)
        }
        try self.init(
            configuration, on: addresses, library: library, host: host, logger: logger)
    }

    /// Prepares a server for addresses whose port is known.
    ///
    /// - Parameter now: Returns the current time for the leases of editing sessions.
    init(
        _ configuration: StudioConfiguration, on addresses: [String], library: PhotoLibrary,
        host: ExtensionHost, logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) throws {
        self.configuration = configuration
        self.addresses = addresses
        self.library = library
        self.logger = logger
        host.attach(to: library)
        address = StudioAddress(
            hostName: configuration.hostName, port: configuration.port,
            isSecure: configuration.listening != nil)
        let limits = configuration.limits
        tokens = try LoginTokens(folder: configuration.tokenFolder)
        runningStudios = try RunningStudios(folder: configuration.tokenFolder)
        let logins = LoginStore(tokens, limits)
        let events = try EventCenter(
            library, logins, limits, extensionBuilds: host.extensionBuilds)
        let sessions = StudioSessions(host, library, events, limits, now: now)
        (self.logins, self.events, self.sessions) = (logins, events, sessions)
        let routes = StudioRoutes(
            library: library, host: host, extensionBuilds: host.extensionBuilds,
            images: ImageManager(host: host, library: library),
            logins: logins, events: events, sessions: sessions,
            pictures: PictureStore(limit: limits.pictureMemory), address: address,
            configuration: configuration,
            files: try StaticFiles(folder: configuration.webFolder))
        router = { routes.router() }
    }

    /// Runs the server until SIGINT or SIGTERM.
    ///
    /// - Parameter ready: Called once, when the server listens on all addresses.
    /// - Throws: `IOError` if an address cannot be bound, and errors of the certificate.
    package func run(ready: @escaping @Sendable () async -> Void) async throws {
        try library.register(events)
        defer {
            library.unregister(events)
            sessions.endAll()
            logins.endAll()
        }
        let count = addresses.count
        let waiting = Mutex(0)
        let connections = ConnectionCounter()
        let applications = try addresses.map { address in
            Application(
                router: router(), server: try builder(connections),
                configuration: ApplicationConfiguration(
                    address: .hostname(address, port: self.address.port), serverName: nil),
                onServerRunning: { _ in
                    let running = waiting.withLock { waiting in
                        waiting += 1
                        return waiting
                    }
                    if running == count { await ready() }
                }, logger: logger)
        }
        var settings = ServiceGroupConfiguration(
            services: applications.map { .init(service: $0) } + [
                .init(service: EndOfEvents(events)), .init(service: SessionLeases(sessions)),
            ],
            gracefulShutdownSignals: [.sigint, .sigterm, .sighup], logger: logger)
        // Requests in flight are cancelled afterwards.
        settings.maximumGracefulShutdownDuration = .seconds(configuration.limits.shutdownSeconds)
        let group = ServiceGroup(configuration: settings)
        // Requests read the database and wait for disks. They must not occupy the few threads of Swift's pool.
        try await withTaskExecutorPreference(WaitingThread.executor) { try await group.run() }
    }

    private func builder(_ connections: ConnectionCounter) throws -> HTTPServerBuilder {
        let plain = StudioChannel.builder(configuration.limits, connections)
        guard let listening = configuration.listening else { return plain }
        return try .tls(plain, tlsConfiguration: listening.tls)
    }
}

/// Ends the streams of events when the server stops. They would never end otherwise.
private struct EndOfEvents: Service {
    let events: EventCenter

    init(_ events: EventCenter) { self.events = events }

    func run() async throws {
        try? await gracefulShutdown()
        events.end()
    }
}

/// Ends the editing sessions whose leases have expired, and all sessions when the server stops.
private struct SessionLeases: Service {
    let sessions: StudioSessions

    init(_ sessions: StudioSessions) { self.sessions = sessions }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(5))
                sessions.endExpired()
            }
        }
        sessions.endAll()
    }
}
