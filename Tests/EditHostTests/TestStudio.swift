// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Glibc
import Library
import Logging
import TestSupport
import Vips

/// A library, a host and an extension folder for one test.
final class TestStudio: Sendable {
    let folder: TemporaryFolder
    let library: PhotoLibrary
    let host: ExtensionHost
    let log = TestLog()

    var extensions: String { folder.file("extensions") }

    /// Builds the extensions first, because a host searches for them only once.
    init(
        extensions build: (_ folder: String) throws -> Void = {
            try TestExtension.buildAdder(in: $0)
        },
        trusted: Bool = true, configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws {
        folder = try TemporaryFolder()
        try build(folder.file("extensions"))
        if trusted { try Self.trust(folder) }
        library = try PhotoLibrary.create(at: folder.file("Test.editlibrary"))
        var configuration = HostConfiguration(
            runnerExecutable: BuildProducts.runner,
            extensionFolders: [folder.file("extensions")], runnerLimit: 2, threadsPerRunner: 2)
        configuration.mediaRunnerExecutable = BuildProducts.mediaRunner
        configuration.shippedTrustFile = folder.file("trusted.sha256")
        configuration.configurationFolder = folder.file("configuration")
        // The check would add a run to those that some tests count.
        configuration.checksReproducibility = false
        // A busy machine can take longer than a user would wait.
        configuration.timeouts.start = .seconds(300)
        configuration.timeouts.load = .seconds(300)
        configuration.timeouts.shortCall = .seconds(60)
        configuration.timeouts.interactive = .seconds(300)
        configure(&configuration)
        let log = log
        host = ExtensionHost(configuration, logger: Logger(label: "test") { _ in log })
    }

    /// Trusts all extensions as shipped.
    private static func trust(_ folder: TemporaryFolder) throws {
        let extensions = folder.file("extensions")
        let folders = try FileManager.default.contentsOfDirectory(atPath: extensions)
            .filter { $0.hasSuffix(".editingextension") }.map { "\(extensions)/\($0)" }
        try folder.write(Data(TestExtension.trustList(of: folders).utf8), to: "trusted.sha256")
    }

    /// Another host over the same folders, for example after an extension was replaced.
    func otherHost(
        trusted: Bool = true, configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws -> ExtensionHost {
        if trusted { try Self.trust(folder) }
        var configuration = host.configuration
        configure(&configuration)
        let log = log
        return ExtensionHost(configuration, logger: Logger(label: "test") { _ in log })
    }

    /// Imports a file and returns its identifier.
    func add(_ data: Data, named name: String = "picture.png") async throws -> String {
        let path = try folder.write(data, to: name)
        var identifier: String?
        var failure: (any Error)?
        try await host.importPhotos(at: [path], into: library) {
            identifier = $0.assetIdentifier
            failure = $0.error
        }
        if let failure { throw failure }
        return identifier ?? ""
    }

    func add(_ picture: TestPicture) async throws -> String { try await add(picture.encoded()) }

    /// Imports a Live Photo and returns its identifier.
    func addLivePhoto() async throws -> String {
        let identifier = "C3754624-A05F-474D-9F16-E9C47B5F892D"
        let (still, video) = (folder.file("a.jpg"), folder.file("a.mov"))
        try TestLivePhoto.makeStill(still, identifier)
        try TestLivePhoto.makeVideo(video, identifier)
        var imported: String?
        try await host.importPhotos(at: [still, video], into: library) {
            imported = $0.assetIdentifier
        }
        guard let imported else { throw CocoaError(.fileReadUnknown) }
        return imported
    }

    @discardableResult
    func edit(
        _ identifier: String, _ name: String = "adder", _ values: [String: String] = [:],
        reset: Bool = false, step: Int? = nil
    ) async throws -> EditResult {
        try await host.edit(
            [identifier],
            EditRequest(extensionName: name, values: values, reset: reset, step: step),
            in: library)[0]
    }

    /// The bytes of the current version.
    func currentBytes(_ identifier: String) throws -> Data {
        let history = try library.history(ofAsset: identifier)
        let blob = history.chain.last?.current?.blob ?? history.original?.blob
        guard let blob else { throw CocoaError(.fileNoSuchFile) }
        let file = try library.openBlob(blob)
        return try file.read(count: file.byteCount())
    }

    /// The path of a file in the library.
    func blobPath(_ hash: SHA256Digest) -> String {
        "\(library.path)/blobs/\(hash.hex.prefix(2))/\(hash.hex)"
    }

    /// The pixels of the current version.
    func current(_ identifier: String) throws -> TestPicture {
        try TestPicture(decoding: currentBytes(identifier))
    }

    /// The last recipe, as text.
    func recipe(_ identifier: String) throws -> String? {
        try library.history(ofAsset: identifier).chain.last
            .map { String(decoding: $0.adjustmentData.data, as: UTF8.self) }
    }

    /// Stops all runners, so that none answers before ``resumeRunners()``.
    func stopRunners() {
        for runner in log.startedRunners where Children.isRunning(runner) { kill(runner, SIGSTOP) }
    }

    func resumeRunners() {
        for runner in log.startedRunners where Children.isRunning(runner) { kill(runner, SIGCONT) }
    }

    /// The EXIF orientation of the current version's file, as libvips reads it.
    func orientation(of identifier: String) throws -> Int {
        try VipsLibrary.initialize()
        let image = try Image(source: try ImageSource(bytes: Array(currentBytes(identifier))))
        return image.integer("orientation") ?? 1
    }
}
