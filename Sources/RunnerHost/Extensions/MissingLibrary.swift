// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A shared library that an extension is linked with and that the loader does not find.
struct MissingLibrary {
    /// The file name, such as `libfftw3.so.3`.
    let name: String

    /// - Parameter message: The message of the loader. An untrusted runner may have written it, so that it is searched in
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

    /// Returns how to make the library available: the Debian package and the linker option if it is installed where
    /// the loader does not search.
    ///
    /// - Parameter packages: The folder of dpkg's lists of files.
    func advice(packages: String = "/var/lib/dpkg/info") -> String {
        guard let (package, folder) = owner(in: packages) else {
            return "install the Debian package that contains \(name) (apt-file search \(name)), "
                + "or link it statically; other libraries in the extension's folder are not loaded"
        }
        return "\(name) is in \(folder), from the Debian package \(package); link with "
            + "-Wl,-rpath,\(folder)"
    }

    /// Returns the package that installed the library, and the library's folder.
    private func owner(in packages: String) -> (package: String, folder: String)? {
        let lists = (try? FileManager.default.contentsOfDirectory(atPath: packages)) ?? []
        let ending = "/" + name
        for list in lists.sorted() where list.hasSuffix(".list") {
            guard let text = try? String(contentsOfFile: "\(packages)/\(list)", encoding: .utf8),
                text.contains(ending),
                let path = text.split(separator: "\n").first(where: { $0.hasSuffix(ending) })
            else { continue }
            // `libc6:amd64.list` for packages of one architecture.
            let package = list.dropLast(".list".count).prefix { $0 != ":" }
            return (String(package), String(path.dropLast(ending.count)))
        }
        return nil
    }
}
