// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

/// Which files the file parameters of an open edit name.
final class SessionFiles: Sendable {
    /// Values with their files read.
    struct Taken: Sendable {
        /// The values, files by their hashes.
        var values: [String: ParameterValue] = [:]
        /// Those that the session does not know yet.
        var files: [ParameterFile] = []
        /// What each file parameter among the values names now; nil: no file of the user's.
        var named: [String: ParameterFile?] = [:]
    }

    private struct State {
        /// All that the session has been given, by their values.
        var known: [String: ParameterFile] = [:]
        /// What each parameter names.
        var named: [String: ParameterFile] = [:]
    }

    private let state = Mutex(State())

    /// All files that the session has been given.
    var known: [ParameterFile] { state.withLock { Array($0.known.values) } }

    /// The edit begins with what another one names.
    func continues(_ files: [EditFile]) {
        state.withLock { state in
            for file in files.map(ParameterFile.init) {
                state.known[file.value] = file
                state.named[file.description.parameter] = file
            }
        }
    }

    /// Reads the files that values name: a path; the hash of a file that the session knows; or a file of the
    /// extension's own, by its name in the manifest.
    ///
    /// - Throws: `HostError` with `badParameter`.
    func taking(
        _ values: [String: ParameterValue], for manifest: ExtensionManifest
    ) throws -> Taken {
        var taken = Taken(values: values)
        let known = state.withLock { $0.known }
        for (name, value) in values {
            guard manifest.parameter(named: name)?.type == .file, case .string(let text) = value,
                !text.isEmpty
            else { continue }
            if manifest.hashedFiles.contains(text) {
                taken.named[name] = .some(nil)
                continue
            }
            if let file = known[text] {
                taken.named[name] = file.named(name)
                continue
            }
            let file = try ParameterFile.read(text, for: name)
            taken.values[name] = .string(file.value)
            taken.named[name] = file
            if known[file.value] == nil { taken.files.append(file) }
        }
        return taken
    }

    /// The extension has taken values.
    func keep(_ taken: Taken) {
        state.withLock { state in
            for file in taken.files { state.known[file.value] = file }
            for (name, file) in taken.named { state.named[name] = file }
        }
    }

    /// The extension has told its values: what it names counts, where it tells that.
    ///
    /// - Returns: the values, without files that it was not given. A path of its own would be read for it as
    ///   soon as somebody sets the values that it told, as forms do.
    func told(
        _ values: [String: ParameterValue], for manifest: ExtensionManifest
    ) -> [String: ParameterValue] {
        let names = manifest.parameters.filter { $0.type == .file }.map(\.name)
        var believed = values
        state.withLock { state in
            for name in names {
                guard let value = values[name] else { continue }
                guard case .string(let text) = value else {
                    believed[name] = nil
                    continue
                }
                state.named[name] = state.known[text]?.named(name)
                let isOwn = text.isEmpty || manifest.hashedFiles.contains(text)
                if state.named[name] == nil, !isOwn { believed[name] = nil }
            }
        }
        return believed
    }

    /// What the edit names, in the order of the parameters.
    var named: [ParameterFile] {
        state.withLock { state in
            state.named.sorted { $0.key < $1.key }.map { $0.value.named($0.key) }
        }
    }
}
