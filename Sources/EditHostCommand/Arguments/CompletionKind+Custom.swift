// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

extension CompletionKind {
    /// Completes identifiers of assets in the library.
    static var asset: CompletionKind { offering { try $0.assets() } }
    /// Completes identifiers of assets in the trash.
    static var trashedAsset: CompletionKind { offering { try $0.trashedAssets() } }
    /// Completes titles of albums in the library, including smart albums.
    static var album: CompletionKind { offering { try $0.albums() } }
    /// Completes titles of folders in the library.
    static var folder: CompletionKind { offering { try $0.folders() } }
    /// Completes titles of albums and folders in the library.
    static var albumOrFolder: CompletionKind { offering { try $0.albums() + $0.folders() } }
    /// Completes installed extensions.
    static var installedExtension: CompletionKind { offering { $0.extensions() } }
    /// Completes extensions that edits in the library depend on.
    static var editor: CompletionKind { offering { try $0.editors() } }
    /// Completes parameters and values of the extension on the command line.
    static var parameter: CompletionKind { offering { try $0.parameters() } }

    /// Completes presets of the extension on the command line.
    static var preset: CompletionKind { offering { try $0.presets() } }

    private static func offering(
        _ words: @escaping @Sendable (CompletionRequest) throws -> [String]
    ) -> CompletionKind {
        .custom { line, _, prefix in
            CompletionRequest(line: line, typed: prefix).offer(words)
        }
    }
}
