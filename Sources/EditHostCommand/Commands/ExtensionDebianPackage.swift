// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import FileAccess
import Foundation
import RunnerHost

/// A Debian package of an extension, which installs it for all users.
enum ExtensionDebianPackage {
    /// Builds the package in the current folder. The arguments are the archive of the extension, the path of its
    /// library in it, and the fields of the package.
    private static let script = #"""
        umask 022
        for tool in dpkg-deb dpkg-shlibdeps; do
            command -v "$tool" >/dev/null || exit 127
        done
        extensions=root/usr/lib/edithost/extensions
        mkdir -p "$extensions" root/DEBIAN debian
        tar --extract --gzip --no-same-owner --file "$1" --directory "$extensions"
        printf 'Source: extension\n\nPackage: extension\nArchitecture: any\n' >debian/control
        dpkg-shlibdeps -O -e"$extensions/$2" >needs 2>warnings || { cat warnings; exit 1; }
        needs=$(sed -n 's/^shlibs:Depends=/, /p' needs)
        printf '%s%s\nArchitecture: %s\n' "$3" "$needs" "$(dpkg --print-architecture)" >root/DEBIAN/control
        (cd root && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >root/DEBIAN/md5sums
        export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-0}"
        find root -exec touch --date "@$SOURCE_DATE_EPOCH" {} +
        dpkg-deb --root-owner-group --threads-max=1 --build root package.deb >/dev/null
        """#

    /// Writes the package of an archive, with the packages that its library needs as dependencies.
    ///
    /// - Parameters:
    ///   - archive: The path of an archive of the extension.
    ///   - name: The name of the extension's folder, without its ending.
    /// - Throws: `HostError` with `badRequest` if the manifest does not fit, or `fileFailed`.
    static func write(
        _ path: String, archive: String, named name: String, of manifest: ExtensionManifest
    ) async throws {
        let fields = try fields(of: manifest, named: name)
        let folder = try PrivateFolder(for: .edit)
        let file = URL(fileURLWithPath: archive).standardizedFileURL.path
        let status = try await ToolProcess([
            "env", "-C", folder.path, "sh", "-euc", script, "sh", file,
            "\(name).editingextension/\(manifest.library)", fields,
        ]).end()
        try Task.checkCancellation()
        guard status != 127 << 8 else {
            throw HostError(
                .fileFailed,
                "\(path) needs dpkg-deb and dpkg-shlibdeps; install them with: apt-get install dpkg-dev"
            )
        }
        guard status == 0 else {
            throw HostError(.fileFailed, "\(path) cannot be built; see the messages above")
        }
        let package = try withExtendedLifetime(folder) {
            try OpenFile.readingRegularFile("\(folder.path)/package.deb")
        }
        try NewFile.replace(path, with: package)
    }

    /// Checks that the manifest of an extension has what a package needs.
    ///
    /// - Throws: `HostError` with `badRequest`.
    static func check(_ manifest: ExtensionManifest, named name: String) throws {
        _ = try fields(of: manifest, named: name)
    }

    /// Returns the fields of the package. The last one, `Depends`, is continued. No text of a checked manifest contains
    /// a line break.
    private static func fields(of manifest: ExtensionManifest, named name: String) throws -> String
    {
        guard let maintainer = manifest.author ?? manifest.vendor else {
            throw HostError(
                .badRequest, "a Debian package names its author; set \"author\" in the manifest")
        }
        let version = manifest.version
        guard version.first?.isNumber == true, version.allSatisfy({ isPart($0, of: ".+~") }) else {
            throw HostError(
                .badRequest,
                "the version \"\(version)\" is not valid for Debian; start it with a digit, and use only letters, digits and .+~"
            )
        }
        let homepage = manifest.homepage.map { ["Homepage: \($0)"] } ?? []
        let package = String(name.lowercased().map { isPart($0, of: ".+-") ? $0 : "-" })
        let fields =
            [
                "Package: edithost-extension-\(package)", "Version: \(version)",
                "Maintainer: \(maintainer)", "Section: graphics", "Priority: optional",
            ] + homepage + [
                "Description: \(manifest.name), an extension of edithost",
                "Depends: edithost (>= \(manifest.minimumHost ?? "0"))",
            ]
        return fields.joined(separator: "\n")
    }

    private static func isPart(_ character: Character, of punctuation: String) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
            || punctuation.contains(character)
    }
}
