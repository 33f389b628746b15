// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A version of the C contract that the tests compile plug-ins and hosts against.
public enum ContractHeader: String, CaseIterable, Sendable {
    /// The header of this package.
    case current
    /// The copy of the header of 1.0: `Tests/TestSupport/FrozenHeader`.
    case frozen
    /// The current header with a number and a pointer appended to every structure that can grow.
    case later

    /// The include folder of the header, which also has a module map for Swift.
    public var folder: String {
        get throws {
            switch self {
            case .current: "\(BuildProducts.packageFolder)/Sources/CEditingExtension/include"
            case .frozen: "\(BuildProducts.packageFolder)/Tests/TestSupport/FrozenHeader"
            case .later: try Self.laterFolder.get()
            }
        }
    }

    /// The text of the header.
    public var text: String {
        get throws {
            try String(contentsOfFile: "\(folder)/editing_extension.h", encoding: .utf8)
        }
    }

    private static let laterFolder = Result {
        let folder = try TemporaryFolder.untilExit()
        let text = try withLaterMembers(ContractHeader.current.text)
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/editing_extension.h"))
        try Data("module CEditingExtension { header \"editing_extension.h\" export * }\n".utf8)
            .write(to: URL(fileURLWithPath: "\(folder)/module.modulemap"))
        return folder
    }

    /// Appends members to every structure that begins with its size, and defines `EE_LATER`.
    static func withLaterMembers(_ header: String) -> String {
        var isGrowing = false
        let lines = header.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            line in
            if line.hasPrefix("typedef struct") { isGrowing = false }
            if line.contains("uint32_t struct_size;") { isGrowing = true }
            guard isGrowing, line.hasPrefix("} ee_") else { return [line] }
            return ["    uint64_t later_number;", "    void *later_pointer;", line]
        }
        return "#define EE_LATER\n" + lines.joined(separator: "\n")
    }
}

/// A structure of the contract as declared in a header.
public struct ContractStructure: Hashable, Sendable {
    /// The name, such as `ee_input`.
    public let name: String
    /// The declarations of the members in order, with single spaces and without comments.
    public let members: [String]

    /// The structures that a header declares.
    public static func all(in header: String) -> [ContractStructure] {
        plain(header).matches(of: /typedef struct \w+ \{(.*?)\} (\w+);/).map { match in
            ContractStructure(
                name: String(match.2),
                members: match.1.split(separator: ";").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }.filter { !$0.isEmpty })
        }
    }

    /// The constants that a header defines, by name: numbers, ids and statuses.
    public static func constants(in header: String) -> [String: String] {
        let lines = plain(header, keepingLines: true)
        let macros = lines.matches(of: /#define (\w+) ([^\n\\]+)/).map { ($0.1, $0.2) }
        let values = plain(header).matches(of: /(EE_\w+) = ([^,}]+)/).map { ($0.1, $0.2) }
        return Dictionary(
            (macros + values).map {
                (String($0.0), $0.1.trimmingCharacters(in: .whitespaces))
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func plain(_ header: String, keepingLines: Bool = false) -> String {
        let code = header.replacing(/(?s)\/\*.*?\*\//, with: "")
        return code.replacing(keepingLines ? /[ \t]+/ : /\s+/, with: " ")
    }
}
