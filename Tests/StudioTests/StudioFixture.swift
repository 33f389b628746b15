// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Library
import Logging
import NIOCore
import TestSupport
import Testing

@testable import Studio

/// A studio without a network, over a library in a temporary folder.
///
/// The test framework sends the host `localhost`, so that is the name of the server.
struct StudioFixture {
    let folder: TemporaryFolder
    let library: PhotoLibrary
    let host: ExtensionHost
    let server: StudioServer

    /// - Parameters:
    ///   - change: Changes the configuration of the server.
    ///   - build: Builds trusted extensions in a folder.
    ///   - sessionLimit: The maximum number of editing sessions.
    ///   - answerSeconds: The time that an extension has to answer a question. A busy machine can take longer than the 5 s
    ///     for which a user waits.
    ///   - now: Returns the current time for the leases of editing sessions.
    init(
        _ change: (inout StudioConfiguration) -> Void = { _ in },
        extensions build: (_ folder: String) throws -> Void = { _ in }, sessionLimit: Int = 8,
        answerSeconds: Int = 60, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) throws {
        folder = try TemporaryFolder()
        library = try PhotoLibrary.create(at: folder.file("Test.editlibrary"))
        let web = folder.file("web")
        try FileManager.default.createDirectory(
            atPath: "\(web)/core", withIntermediateDirectories: true)
        let page = "<!doctype html><script src=\"/core/element.js\"></script>"
        for (name, text) in ["index.html": page, "core/element.js": "export {};"] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(web)/\(name)"))
        }
        var host = HostConfiguration(
            runnerExecutable: BuildProducts.runner,
            extensionFolders: [try Self.extensions(in: folder, build)], runnerLimit: 1)
        host.mediaRunnerExecutable = BuildProducts.mediaRunner
        host.configurationFolder = folder.file("configuration")
        host.shippedTrustFile = folder.file("trusted.sha256")
        host.editingSessionLimit = sessionLimit
        host.checksReproducibility = false
        host.timeouts.shortCall = .seconds(answerSeconds)
        self.host = ExtensionHost(host)
        var configuration = StudioConfiguration(
            hostName: "localhost", port: 80, webFolder: web, tokenFolder: folder.file("tokens"))
        configuration.limits.confirmationSeconds = Double(answerSeconds)
        change(&configuration)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        server = try StudioServer(
            configuration, on: [], library: library, host: self.host, logger: logger, now: now)
    }

    /// Builds extensions and trusts them as shipped.
    ///
    /// - Returns: The folder that contains them.
    private static func extensions(
        in folder: TemporaryFolder, _ build: (_ folder: String) throws -> Void
    ) throws -> String {
        let path = folder.file("extensions")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        try build(path)
        let folders = try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasSuffix(".editingextension") }.map { "\(path)/\($0)" }
        let list = folders.isEmpty ? "" : try TestExtension.trustList(of: folders)
        try Data(list.utf8).write(to: URL(fileURLWithPath: folder.file("trusted.sha256")))
        return path
    }

    /// The path of a script of the page.
    func scriptPath() throws -> String {
        let paths = try StaticFiles(folder: folder.file("web")).paths
        return try #require(paths.first { $0.hasSuffix("/core/element.js") })
    }

    /// Imports pictures of different sizes and contents.
    ///
    /// - Returns: Their identifiers.
    func importPictures(_ count: Int) async throws -> [String] {
        var identifiers: [String] = []
        for number in 0..<count {
            let picture = TestPicture.gradient(width: 64, height: 32 + 16 * number, seed: number)
            let path = folder.file("picture\(number).png")
            try picture.encoded("png").write(to: URL(fileURLWithPath: path))
            try await host.importPhotos(at: [path], into: library) { result in
                identifiers.append(try #require(result.assetIdentifier))
            }
        }
        return identifiers
    }

    /// Imports the files of one asset.
    ///
    /// - Returns: Its identifier.
    func importAsset(_ paths: [String]) async throws -> String {
        var identifier: String?
        try await host.importPhotos(at: paths, into: library) { identifier = $0.assetIdentifier }
        return try #require(identifier)
    }

    /// Calls a closure with a client of the server.
    func test(_ body: @escaping @Sendable (StudioClient) async throws -> Void) async throws {
        let application = Application(router: server.router())
        try await application.test(.router) { client in
            try await body(StudioClient(client: client, server: server))
        }
        await host.shutDown()
    }
}
