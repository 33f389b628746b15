// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Synchronization

/// The records about builds of extensions: the user's trust in them and in their publishers, their permissions, the
/// results of tests, and their failures. All hosts of a user share the file `extensions.jsonl`, which has one JSON
/// object per line.
///
/// Lines that cannot be decoded are kept but ignored, because a later version may have written them. An unreadable file
/// counts as empty. While the file is missing, the files of earlier versions are read; the first change replaces them.
final class ExtensionRecords: Sendable {
    private struct State {
        var content = Content()
        var version: SharedFile.Version?
    }

    private let folder: String?
    private let file: SharedFile?
    private let state: Mutex<State>

    /// Reads the records.
    ///
    /// - Parameter folder: The configuration folder; if nil, records last as long as this object.
    init(folder: String?) {
        self.folder = folder
        file = folder.map { SharedFile(path: "\($0)/extensions.jsonl") }
        let isMissing = file?.version == nil
        let earlier =
            isMissing
            ? folder.map { Content(earlierFilesIn: $0) { (try? $0.content()) ?? Data() } } : nil
        state = Mutex(State(content: earlier ?? Content()))
        refresh()
    }

    /// The records when the file was last read or changed by this object.
    var content: Content { state.withLock { $0.content } }

    /// Reads the file again if it has changed.
    func refresh() {
        state.withLock { state in
            guard let file, let version = file.version, version != state.version,
                let stored = try? file.content()
            else { return }
            state = State(content: Content(stored), version: version)
        }
    }

    /// Changes the records in the file, including those that other hosts have stored in the meantime.
    ///
    /// - Throws: `HostError` with `fileFailed`. In that case, the records are unchanged, unless only a file of an
    ///   earlier version could not be removed.
    func change(_ body: (inout Content) -> Void) throws {
        try state.withLock { state in
            guard let folder, let file else { return body(&state.content) }
            var content = Content()
            let version = try file.replace { stored in
                let isFirst = file.version == nil
                // A file that cannot be read now is not removed.
                content =
                    isFirst
                    ? try Content(earlierFilesIn: folder) { try $0.content() } : Content(stored)
                body(&content)
                return try content.encoded()
            }
            // The first change may have been interrupted before it removed them.
            try Content.removeEarlierFiles(in: folder)
            state = State(content: content, version: version)
        }
    }

    /// Changes the records of this object without storing them.
    func changeInMemory(_ body: (inout Content) -> Void) { state.withLock { body(&$0.content) } }

    // MARK: - Records of one kind

    /// Whether there is a record of a kind about a build, including records that other hosts have stored.
    func contains(_ kind: ExtensionRecord.Kind, _ digest: SHA256Digest) -> Bool {
        refresh()
        return content.records.contains { $0.kind == kind && $0.digest == digest }
    }

    /// Whether there is a record of a kind about any build of an extension, including records that other hosts have
    /// stored.
    func names(_ kind: ExtensionRecord.Kind, _ identifier: String) -> Bool {
        refresh()
        return content.records.contains { $0.kind == kind && $0.identifier == identifier }
    }

    /// Adds a record, replacing those of the same kind about other builds of the extension.
    ///
    /// - Throws: `HostError` with `fileFailed`, as ``change(_:)``.
    func add(
        _ kind: ExtensionRecord.Kind, _ digest: SHA256Digest, of identifier: String
    ) throws {
        try change { $0.add(kind, digest, of: identifier) }
    }

    /// Removes the records of a kind about all builds of an extension.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: `HostError` with `fileFailed`, as ``change(_:)``.
    func remove(_ kind: ExtensionRecord.Kind, of identifier: String) throws -> Bool {
        var found = false
        try change { content in
            let count = content.records.count
            content.remove(kind, of: identifier)
            found = content.records.count < count
        }
        return found
    }
}
