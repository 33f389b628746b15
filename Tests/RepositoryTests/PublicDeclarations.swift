// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The public declarations of the sources. Relies on their formatting: a member is indented four
/// columns more than its type, and a type ends at the next line in its own column.
struct PublicDeclarations {
    /// The member names of each type, including members in extensions.
    private var members: [String: Set<String>] = [:]
    /// The public types.
    private(set) var types: Set<String> = []
    /// The types that type aliases stand for.
    private var aliases: [String: String] = [:]

    /// Reads all sources.
    init() throws {
        let root = "\(BuildProducts.packageFolder)/Sources"
        let files =
            FileManager.default.enumerator(atPath: root)?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") } ?? []
        for file in files {
            add(try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8))
        }
    }

    /// Reads a single source.
    init(source: String) { add(source) }

    /// Whether a public type, `Asset`, or a public member, `Asset.PlaybackStyle.image`, exists.
    func has(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else {
            return types.contains(name) || aliases[name] != nil
        }
        let type = String(name[..<dot])
        let member = String(name[name.index(after: dot)...])
        guard has(type) else { return false }
        return members[aliases[type] ?? type]?.contains(member) == true
    }

    /// A type whose body is being read.
    private struct Scope {
        let name: String
        let column: Int
        /// Whether it is a public enumeration, whose cases have no access modifiers.
        var hasCases = false
        /// Whether it is a public protocol, whose requirements have no access modifiers.
        var isProtocol = false
    }

    private mutating func add(_ source: String) {
        var scopes: [Scope] = []
        for line in source.split(separator: "\n") {
            let column = line.prefix { $0 == " " }.count
            let text = line.dropFirst(column)
            // A brace on its own line after a long declaration begins a body and does not end a type.
            guard let first = text.first, !"{#/".contains(first) else { continue }
            while let scope = scopes.last, column <= scope.column { scopes.removeLast() }
            let isMember = scopes.last.map { $0.column + 4 == column } ?? (column == 0)
            guard isMember else { continue }
            let words = text.split { !($0.isLetter || $0.isNumber || "_.@".contains($0)) }
                .map(String.init)
            // Associated and raw values are not names.
            let isPayload = text.contains("(") || text.contains("=")
            let declared = text.hasPrefix("case") && isPayload ? Array(words.prefix(2)) : words
            if let scope = declare(declared, in: scopes.last, column) { scopes.append(scope) }
        }
    }

    private static let typeWords: Set<String> = ["struct", "class", "enum", "protocol", "actor"]
    private static let memberWords: Set<String> = ["func", "var", "let", "init"]

    /// Records a declaration, and returns the type that begins with it.
    private mutating func declare(_ words: [String], in scope: Scope?, _ column: Int) -> Scope? {
        let kinds = Self.typeWords.union(Self.memberWords)
            .union(["extension", "typealias", "case"])
        guard
            let place = words.indices.first(where: { index in
                // `class func` is a member.
                kinds.contains(words[index])
                    && !(words[index] == "class" && words.dropFirst(index + 1).first == "func")
            })
        else { return nil }
        let kind = words[place]
        let isPublic = words[..<place].contains("public") || words[..<place].contains("open")
        let isVisible = isPublic || scope?.isProtocol == true
        let name = kind == "init" ? "init" : words.dropFirst(place + 1).first ?? ""
        let path = scope.map { "\($0.name).\(name)" } ?? name
        if kind == "extension" { return Scope(name: name, column: column) }
        if kind == "case" {
            if scope?.hasCases == true { note(words.dropFirst(place + 1), in: scope) }
            return nil
        }
        if isVisible { note([name], in: scope) }
        if kind == "typealias", isVisible { aliases[path] = words.last }
        guard Self.typeWords.contains(kind) else { return nil }
        if isVisible { types.insert(path) }
        return Scope(
            name: path, column: column, hasCases: isPublic && kind == "enum",
            isProtocol: isPublic && kind == "protocol")
    }

    private mutating func note(_ names: some Sequence<String>, in scope: Scope?) {
        guard let scope else { return }
        members[scope.name, default: []].formUnion(names)
    }
}
