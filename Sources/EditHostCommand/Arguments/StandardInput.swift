// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What other programs hand on.
enum StandardInput {
    /// The first word of each line, or the member `id` of a JSON object, as `list` writes them. Headers, empty lines and
    /// objects without one, such as sums and progress, are passed over.
    static var names: [String] {
        var names: [String] = []
        while let line = readLine() {
            if let name = name(in: line) { names.append(name) }
        }
        return names
    }

    static func name(in line: String) -> String? {
        if line.hasPrefix("{") {
            struct Named: Decodable { let id: String? }
            // What is no JSON is no asset's name, which is said of it then.
            guard let named = try? JSONDecoder().decode(Named.self, from: Data(line.utf8)) else {
                return line
            }
            return named.id
        }
        let word = line.split(whereSeparator: \.isWhitespace).first.map(String.init)
        return word == "ID" ? nil : word
    }
}
