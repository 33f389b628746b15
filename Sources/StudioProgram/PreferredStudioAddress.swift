// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import Studio

/// The host name and the port of a library's studio, which are stored between starts. Open pages and bookmarks then stay
/// valid.
struct PreferredStudioAddress {
    private struct Content: Codable {
        var hostName: String
        var port: Int
    }

    /// The host name. It is random, because browsers share the cookies of a host name between all ports.
    let hostName: String
    /// The port of the last start; 0 if there was none.
    let port: Int
    /// The folder for login tokens and the addresses of running studios.
    let tokenFolder: String

    private let file: String

    /// Reads the stored name and port, or chooses a new name.
    ///
    /// - Throws: `LibraryError`.
    init(of library: PhotoLibrary, _ environment: [String: String]) throws {
        let identifier = try library.identifier
        let folder = UserFolders.state(environment: environment) + "/studio"
        file = "\(folder)/\(identifier).json"
        tokenFolder =
            (UserFolders.runtime(environment: environment).map { "\($0)/studio" } ?? folder)
            + "/\(identifier)"
        let stored = FileManager.default.contents(atPath: file)
            .flatMap { try? JSONDecoder().decode(Content.self, from: $0) }
        if let stored, Self.isName(stored.hostName), (1...65535).contains(stored.port) {
            (hostName, port) = (stored.hostName, stored.port)
        } else {
            (hostName, port) = (SecretToken().text.prefix(16) + ".localhost", 0)
        }
    }

    private static func isName(_ name: String) -> Bool {
        name.hasSuffix(".localhost") && name.utf8.count == 26
            && name.utf8.prefix(16).allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            }
    }

    /// Stores the port of an address. Best effort. A name that was given by `--host` is not stored.
    func save(_ address: StudioAddress) {
        guard address.hostName == hostName, port == 0 else { return }
        let content = Content(hostName: hostName, port: address.port)
        guard let data = try? JSONEncoder().encode(content) else { return }
        let folder = (file as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try? data.write(to: URL(fileURLWithPath: file), options: .atomic)
    }
}
