// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Glibc

/// The folder with the sources of an extension, which `make` builds.
struct SourceFolder: Sendable {
    /// The absolute path.
    let path: String
    /// The path of a file that is not a source.
    private let exception: String

    private static let ending = ".editingextension"

    /// - Parameters:
    ///   - extensionPath: The path of the folder, or of the built extension in it.
    ///   - exception: The path of a file that is not a source.
    /// - Throws: `HostError` with the code `badRequest` if the folder has no Makefile.
    init(of extensionPath: String, except exception: String) throws {
        let named = URL(fileURLWithPath: extensionPath).standardizedFileURL
        let isBuilt = named.path.hasSuffix(Self.ending)
        path = (isBuilt ? named.deletingLastPathComponent() : named).path
        self.exception = exception
        let makefiles = ["GNUmakefile", "makefile", "Makefile"].map { "\(path)/\($0)" }
        guard makefiles.contains(where: FileManager.default.fileExists) else {
            throw HostError(
                .badRequest, "\(path) has no Makefile; --watch needs one to build the extension")
        }
    }

    /// The size and the modification time of a file.
    struct Stamp: Equatable {
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    /// The stamps of the sources by their paths in the folder. Built extensions and hidden files do not count as
    /// sources.
    var state: [String: Stamp] {
        var state: [String: Stamp] = [:]
        // The path of this file can lead into the folder through links, and each run replaces the file.
        var other = stat()
        let exists = lstat(exception, &other) == 0
        let files = FileManager.default.enumerator(atPath: path)
        while let name = files?.nextObject() as? String {
            let last = (name as NSString).lastPathComponent
            var status = stat()
            guard !last.hasPrefix("."), !last.hasSuffix(Self.ending) else {
                files?.skipDescendants()
                continue
            }
            guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                !exists || (status.st_dev, status.st_ino) != (other.st_dev, other.st_ino)
            else { continue }
            state[name] = Stamp(
                size: Int(status.st_size), seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec)
        }
        return state
    }

    /// Runs `make`, which prints to standard error, and repeats it until no source changes during the run. `make` may
    /// itself write files among the sources.
    ///
    /// - Parameter state: Receives the state to compare later ones with, even if the build fails.
    /// - Throws: `HostError` with the code `unusableExtension` if it fails.
    func build(_ state: inout [String: Stamp]) async throws {
        var failure: HostError?
        state = self.state
        for _ in 0..<Self.maximumRuns {
            let before = state
            failure = try await make()
            // The state is recorded once, so that no later change is missed.
            state = self.state
            if state == before { break }
        }
        if let failure { throw failure }
    }

    /// The maximum number of runs, for a `make` that writes files every time.
    private static let maximumRuns = 3

    /// Returns the failure of `make` itself.
    private func make() async throws -> HostError? {
        let status = try await ToolProcess(["make", "--no-print-directory", "-C", path]).end()
        try Task.checkCancellation()
        guard status != 0 else { return nil }
        return HostError(
            .unusableExtension, "make failed in \(path); waiting for the next change")
    }
}
