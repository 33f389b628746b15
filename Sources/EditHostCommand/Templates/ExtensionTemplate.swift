// SPDX-License-Identifier: Apache-2.0

import EditHost
import FileAccess
import Foundation
import Glibc

/// The files of a new extension.
struct ExtensionTemplate {
    /// The programming language of the template.
    enum Language: String, CaseIterable {
        case swift, c, cpp, rust
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
        guard sources.sourceName != sources.testName else {
            throw HostError(
                .badRequest,
                "\"\(name)\" is the name of the test; use another name for the extension")
        }
    }

    /// The parts that differ between the languages.
    private struct Sources {
        /// The file that authors change.
        let sourceName: String
        let testName: String
        let source: String
        let test: String
        /// The other files of the library, keyed by name.
        var modules: [String: String] = [:]
        /// The items about the language in README.
        var advice = ""
    }

    /// The contents of the files, keyed by name.
    var files: [String: String] {
        let sources = sources
        let commands = buildCommands
        let texts = sources.modules.merging(
            [
                sources.sourceName: sources.source, sources.testName: sources.test,
                "Makefile": Self.makefile, "README.md": Self.readme,
                ".gitignore": """
                /\(name).editingextension/
                /build/
                /dist/
                *.editingextension.tar.gz*
                *.deb

                """,
            ]) { _, text in text }
        let sourceNames = [sources.sourceName] + sources.modules.keys.sorted()
        // The commands contain the names of files.
        let replacements = [
            ("@VARIABLES@", commands.variables), ("@COMPILE@", commands.compile),
            ("@LIBRARY@", commands.library), ("@PROGRAM@", commands.program),
            ("@ADVICE@", sources.advice),
            ("@SOURCES@", sourceNames.joined(separator: " ")),
            ("@SOURCE@", sources.sourceName), ("@TEST@", sources.testName),
            ("@NAME@", name), ("@IDENTIFIER@", identifier),
        ]
        return texts.mapValues { text in
            replacements.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
    }

    private var sources: Sources {
        switch language {
        case .swift:
            Sources(
                sourceName: "\(name).swift", testName: "Tests.swift",
                source: Self.swiftSource, test: Self.swiftTest)
        case .c: compiled("c", Self.cSource, flags: "CFLAGS")
        case .cpp: compiled("cpp", Self.cPlusPlusSource, flags: "CXXFLAGS")
        case .rust: rust
        }
    }

    /// The files for rustc alone, with which the library needs no header and no other library.
    private var rust: Sources {
        Sources(
            sourceName: "filter.rs", testName: "tests.rs", source: Self.rustFilter,
            test: Self.rustTest,
            modules: [
                "contract.rs": Self.rustContract, "extension.rs": Self.rustExtension,
                "lib.rs": Self.rustLibrary,
            ],
            advice: """
                * `contract.rs` declares what the extension uses of `editing_extension.h`, and `extension.rs` calls the filter.
                * Only the test needs pkg-config and libvips.

                """)
    }

    /// The files for a compiler that is called like that of C.
    ///
    /// - Parameter flags: The variable of the Makefile with the compiler's options.
    private func compiled(_ ending: String, _ source: String, flags: String) -> Sources {
        Sources(
            sourceName: "\(name).\(ending)", testName: "test.\(ending)", source: source,
            test: Self.cTest,
            advice:
                "* `make test \(flags)='-g -fsanitize=address,undefined'` finds errors in the "
                + "use of memory.\n")
    }

    /// Writes the files to a new folder.
    ///
    /// - Throws: `HostError` with the code `fileFailed`, including if the folder already exists. Files already
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
