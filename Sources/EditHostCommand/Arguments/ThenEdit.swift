// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// An extension and its options after a `--then` of `edit`, up to the next `--then`. Options of the command
/// itself are also accepted.
struct ThenEdit: ParsableArguments {
    @OptionGroup var edit: EditOptions
    @Flag var stillOnly = false
    @Flag var keepGoing = false
    @Flag(exclusivity: .exclusive) var place: EditPlace?
    @OptionGroup var limits: LimitOptions
    @OptionGroup var parallel: JobsOption
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    /// Parses all words after the first `--then`.
    ///
    /// - Throws: `ValidationError`.
    static func all(in words: [String]) throws -> [ThenEdit] {
        guard !words.isEmpty else { return [] }
        return try words.split(separator: "--then", omittingEmptySubsequences: false).map {
            try one(Array($0))
        }
    }

    private static func one(_ words: [String]) throws -> ThenEdit {
        guard let name = words.first, !name.begins(with: "-") else {
            throw ValidationError("--then needs an extension: --then <extension>.")
        }
        let later: ThenEdit
        do {
            later = try ThenEdit.parse(["--with", name] + words.dropFirst())
        } catch  where ThenEdit.exitCode(for: error) == .success {
            throw ValidationError("Put --help before --then.")
        } catch {
            throw ValidationError("--then \(name): \(ThenEdit.message(for: error))")
        }
        guard later.edit.step == nil, later.edit.base.extensionName == name else {
            throw ValidationError(
                "--then \(name) adds an edit; leave out --step and --with.")
        }
        return later
    }
}
