// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

extension CompletionKind {
    /// Photographs of the library, by identifier.
    static var asset: CompletionKind { offering { try $0.assets() } }
    /// Albums of the library, by title; smart albums too.
    static var album: CompletionKind { offering { try $0.albums() } }
    /// Folders of the library, by title.
    static var folder: CompletionKind { offering { try $0.folders() } }
    /// What lies in folders, by title.
    static var albumOrFolder: CompletionKind { offering { try $0.albums() + $0.folders() } }
    /// Extensions that are installed.
    static var installedExtension: CompletionKind { offering { $0.extensions() } }
    /// Extensions that photographs of the library were edited with.
    static var editor: CompletionKind { offering { try $0.editors() } }
    /// Parameters of the extension that the command line names, with values.
    static var parameter: CompletionKind { offering { try $0.parameters() } }

    /// Presets of the extension that the command line names.
    static var preset: CompletionKind { offering { try $0.presets() } }

    private static func offering(
        _ words: @escaping @Sendable (CompletionRequest) throws -> [String]
    ) -> CompletionKind {
        .custom { line, _, prefix in
            CompletionRequest(line: line, typed: prefix).offer(words)
        }
    }
}
