// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Library

/// A list of the lines of captions, from the top.
struct CaptionArgument: ExpressibleByArgument {
    private enum Line: String, CaseIterable {
        case name, date, id
    }

    private let lines: [Line]

    /// The captions without the option: the filename.
    static let standard = CaptionArgument(lines: [.name])

    /// Parses a comma-separated list.
    init?(argument: String) {
        var lines: [Line] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let line = Line(rawValue: String(part)) else { return nil }
            lines.append(line)
        }
        self.lines = lines
    }

    private init(lines: [Line]) { self.lines = lines }

    /// The names, for help, completion and messages.
    static var allValueStrings: [String] { Line.allCases.map(\.rawValue) }

    /// Returns closures that make the lines of an asset's caption.
    ///
    /// - Parameter identifiers: The identifiers of all assets that get a caption.
    func makers(for identifiers: [String]) -> [(Asset) -> String] {
        let short = Dictionary(
            zip(identifiers, ShortIdentifier.all(of: identifiers)),
            uniquingKeysWith: { first, _ in first })
        return lines.map { line in
            { asset in
                switch line {
                case .name: asset.originalFilename
                case .date: asset.captureDate?.tableText ?? "unknown date"
                case .id: short[asset.localIdentifier] ?? asset.shortIdentifier
                }
            }
        }
    }
}
