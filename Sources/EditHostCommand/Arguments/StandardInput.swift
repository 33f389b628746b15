// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What other programs hand on.
enum StandardInput {
    /// The first word of each line, or the member `id` of a JSON object, as `list` writes them. Headers and empty lines are
    /// passed over.
    static var names: [String] {
        var names: [String] = []
        while let line = readLine() {
            if let name = name(in: line) { names.append(name) }
        }
        return names
    }

    static func name(in line: String) -> String? {
        if line.hasPrefix("{") {
            struct Named: Decodable { let id: String }
            // What has none is no asset's name, which is said of it then.
            return (try? JSONDecoder().decode(Named.self, from: Data(line.utf8)).id) ?? line
        }
        let word = line.split(whereSeparator: \.isWhitespace).first.map(String.init)
        return word == "ID" ? nil : word
    }
}
