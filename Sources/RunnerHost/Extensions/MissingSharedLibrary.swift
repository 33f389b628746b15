// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A shared library that an extension is linked with and that the loader does not find.
struct MissingSharedLibrary {
    /// The file name, such as `libfftw3.so.3`.
    let name: String

    /// - Parameter message: The message of the loader. An untrusted runner may have written it, so it is searched in
    ///   linear time.
    init?(in message: String) {
        guard message.utf8.count <= 8192 else { return nil }
        let bytes = Data(message.utf8)
        guard let end = bytes.range(of: Data(": cannot open shared object file".utf8))?.lowerBound
        else { return nil }
        let name = bytes[..<end].reversed().prefix(256).prefix { !" \t\n:/".utf8.contains($0) }
        guard name.count <= 255, name.allSatisfy(Self.isAllowed) else { return nil }
        self.name = String(decoding: name.reversed(), as: UTF8.self)
        guard self.name.contains(".so") else { return nil }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "._+-".utf8.contains(byte)
        }
    }

    /// Returns advice on making the library available: the Debian package and the linker option if it is installed
    /// where the loader does not search.
    ///
    /// - Parameter packages: The folder of dpkg's lists of files.
    func advice(packages: String = "/var/lib/dpkg/info") -> String {
        guard let owner = owner(in: packages) else {
            return "install the Debian package that contains \(name) (apt-file search \(name)), "
                + "or link it statically; other libraries in the extension's folder are not loaded"
        }
        return "\(name) is in \(owner.folder), from the Debian package \(owner.package); link with "
            + "-Wl,-rpath,\(owner.folder)"
    }

    private struct Owner: Sendable {
        let package: String
        let folder: String
    }

    /// The packages found so far by the path of the lists and the library; nil if none has the library.
    private static let owners = Mutex([String: Owner?]())
    private static let maximumOwners = 64

    /// Returns the package that installed the library. All lists are read once for each name, and for a limited number
    /// of names.
    private func owner(in packages: String) -> Owner? {
        let key = "\(packages)/\(name)"
        let (known, isFull) = Self.owners.withLock { ($0[key], $0.count >= Self.maximumOwners) }
        if let known { return known }
        guard !isFull else { return nil }
        let owner = findOwner(in: packages)
        Self.owners.withLock { $0[key] = .some(owner) }
        return owner
    }

    private func findOwner(in packages: String) -> Owner? {
        let lists = (try? FileManager.default.contentsOfDirectory(atPath: packages)) ?? []
        let ending = Data("/\(name)\n".utf8)
        for list in lists.sorted() where list.hasSuffix(".list") {
            guard let text = FileManager.default.contents(atPath: "\(packages)/\(list)"),
                let end = text.range(of: ending)?.lowerBound
            else { continue }
            let folder = text[..<end].split(separator: UInt8(ascii: "\n")).last ?? Data()
            // `libc6:amd64.list` for packages of one architecture.
            let package = list.dropLast(".list".count).prefix { $0 != ":" }
            return Owner(
                package: String(package), folder: String(decoding: folder, as: UTF8.self))
        }
        return nil
    }
}
