// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// The version that `export` writes: one that every photo has, or a saved one.
enum ExportedVersion: ExpressibleByArgument {
    case standard(ExportOptions.Version)
    /// The name of a saved version.
    case saved(String)

    init?(argument: String) {
        guard !argument.allSatisfy(\.isWhitespace) else { return nil }
        self = ExportOptions.Version(rawValue: argument).map { .standard($0) } ?? .saved(argument)
    }

    var defaultValueDescription: String {
        switch self {
        case .standard(let version): version.rawValue
        case .saved(let name): name
        }
    }

    static var defaultCompletionKind: CompletionKind {
        .list(ExportOptions.Version.allCases.map(\.rawValue))
    }

    /// The name of the saved version; `nil` for one that every photo has.
    var savedName: String? { if case .saved(let name) = self { name } else { nil } }

    /// The version of the export options, to which a saved version adds its name.
    var standard: ExportOptions.Version {
        if case .standard(let version) = self { version } else { .current }
    }
}
