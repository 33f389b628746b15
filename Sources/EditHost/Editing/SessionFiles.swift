// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

/// The files that are the values of an open edit's file parameters.
final class SessionFiles: Sendable {
    /// Parameter values whose files have been read.
    struct ReadValues: Sendable {
        /// The values. Files are replaced by their hashes.
        var values: [String: ParameterValue] = [:]
        /// The files that the session does not have yet.
        var files: [ParameterFile] = []
        /// The file of each file parameter among the values; if nil, the user's file is no longer referred to.
        var named: [String: ParameterFile?] = [:]
    }

    private struct State {
        /// All files that the session has received, by their values.
        var known: [String: ParameterFile] = [:]
        /// The current file of each parameter.
        var named: [String: ParameterFile] = [:]
    }

    private let state = Mutex(State())

    /// All files that the session has received.
    var known: [ParameterFile] { state.withLock { Array($0.known.values) } }

    /// Starts with the files of the edit that is continued.
    func continues(_ files: [EditFile]) {
        state.withLock { state in
            for file in files.map(ParameterFile.init) {
                state.known[file.value] = file
                state.named[file.description.parameter] = file
            }
        }
    }

    /// Reads the files among values. A value is a path, the hash of a file that the session has, or the manifest's name
    /// of a file that the extension bundles.
    ///
    /// - Parameter others: Files of another session of the same edit.
    /// - Throws: `HostError` with `badParameter`.
    func reading(
        _ values: [String: ParameterValue], for manifest: ExtensionManifest,
        from others: [ParameterFile] = []
    ) throws -> ReadValues {
        var read = ReadValues(values: values)
        let known = state.withLock { $0.known }
        for (name, value) in values {
            guard manifest.parameter(named: name)?.type == .file, case .string(let text) = value,
                !text.isEmpty
            else { continue }
            if manifest.hashedFiles.contains(text) {
                read.named[name] = .some(nil)
                continue
            }
            if let file = known[text] {
                read.named[name] = file.named(name)
                continue
            }
            let file =
                try others.first { $0.value == text }?.named(name)
                ?? ParameterFile.read(text, for: name)
            read.values[name] = .string(file.value)
            read.named[name] = file
            if known[file.value] == nil { read.files.append(file) }
        }
        return read
    }

    /// Stores the files of values that the extension has accepted.
    func keep(_ read: ReadValues) {
        state.withLock { state in
            for file in read.files { state.known[file.value] = file }
            for (name, file) in read.named { state.named[name] = file }
        }
    }

    /// Updates the files from the values that the extension reports.
    ///
    /// - Returns: The values, without files that the extension did not receive. Otherwise, the extension could report
    ///   any path, and that file would be read when a form sets the reported values again.
    func accepting(
        _ values: [String: ParameterValue], for manifest: ExtensionManifest
    ) -> [String: ParameterValue] {
        let names = manifest.parameters.filter { $0.type == .file }.map(\.name)
        var accepted = values
        state.withLock { state in
            for name in names {
                guard let value = values[name] else { continue }
                guard case .string(let text) = value else {
                    accepted[name] = nil
                    continue
                }
                state.named[name] = state.known[text]?.named(name)
                let isOwn = text.isEmpty || manifest.hashedFiles.contains(text)
                if state.named[name] == nil, !isOwn { accepted[name] = nil }
            }
        }
        return accepted
    }

    /// The current files, sorted by the names of their parameters.
    var named: [ParameterFile] {
        state.withLock { state in
            state.named.sorted { $0.key < $1.key }.map { $0.value.named($0.key) }
        }
    }
}
