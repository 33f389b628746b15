// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Library

extension MediaType: ExpressibleByArgument {
    /// Parses the name of a media type.
    public init?(argument: String) {
        guard let type = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = type
    }

    /// The media types, for help and completion.
    public static var allValueStrings: [String] { allCases.map(\.name) }
}

extension MediaSubtype: ExpressibleByArgument {
    private static let all = (0..<Int.bitWidth - 1).map { MediaSubtype(rawValue: 1 << $0) }
        .filter { !$0.names.isEmpty }

    /// Parses the name of a media subtype.
    public init?(argument: String) {
        guard let subtype = Self.all.first(where: { $0.names == [argument] }) else { return nil }
        self = subtype
    }

    /// The media subtypes, for help and completion.
    public static var allValueStrings: [String] { all.flatMap(\.names) }
}
