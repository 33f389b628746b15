// SPDX-License-Identifier: Apache-2.0

import EditHost
import FileAccess
import Foundation
import Glibc

/// The files of a new extension.
struct ExtensionTemplate {
    /// The programming language of the template.
    enum Language: String, CaseIterable {
        case swift, c
    }

    /// The display name, also used for the folder and the files: letters and digits.
    let name: String
    /// The identifier in reverse DNS.
    let identifier: String
    /// The programming language.
    let language: Language

    /// - Throws: `HostError` with the code `badRequest` if a name is invalid.
    init(name: String, identifier: String?, language: Language) throws {
        let isWord =
            name.utf8.count <= 64 && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard isWord, name.first?.isLetter == true else {
            throw HostError(
                .badRequest,
                "\"\(name)\" is not a valid name of an extension; use up to 64 letters and "
                    + "digits, starting with a letter")
        }
        let identifier = identifier ?? "com.example.\(name.lowercased())"
        let parts = identifier.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        }
        guard isPlain, parts.count > 1, identifier.utf8.count <= 255 else {
            throw HostError(
                .badRequest,
                "\"\(identifier)\" is not a valid identifier of an extension; use reverse-DNS "
                    + "form, such as com.example.\(name.lowercased())")
        }
        self.name = name
        self.identifier = identifier
        self.language = language
    }

    /// The contents of the files, keyed by name.
    var files: [String: String] {
        let texts =
            switch language {
            case .swift:
                ["\(name).swift": Self.swiftSource, "Makefile": Self.swiftMakefile]
            case .c: ["\(name).c": Self.cSource, "Makefile": Self.cMakefile]
            }
        return texts.merging(["manifest.json": Self.manifest]) { one, _ in one }.mapValues {
            $0.replacingOccurrences(of: "@NAME@", with: name)
                .replacingOccurrences(of: "@IDENTIFIER@", with: identifier)
        }
    }

    /// Writes the files to a new folder.
    ///
    /// - Throws: `HostError` with the code `fileFailed`, also if the folder already exists. Files already
    ///   written are removed.
    func write(to folder: String) throws {
        guard mkdir(folder, 0o777) == 0 else {
            let reason =
                errno == EEXIST ? "already exists" : "cannot be created: \(SystemError("mkdir"))"
            throw HostError(.fileFailed, "\(folder) \(reason); nothing was written")
        }
        do {
            for (name, text) in files {
                try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            }
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw HostError(
                .fileFailed, "\(folder) cannot be written: \(error.localizedDescription)",
                underlying: error)
        }
    }
}
