// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Library

/// What changed between two states of a photograph.
struct ChainDifference {
    /// One edit that changed.
    enum Change {
        case added(Edit)
        case removed(Edit)
        /// It has another recipe.
        case changed(from: Edit, to: Edit)
    }

    /// The changes, in the order of the edits afterwards; what is gone comes first.
    let changes: [Change]

    /// - Parameters:
    ///   - old: the edits before; those that are disabled do not count.
    ///   - new: those afterwards. Edits by the same extension are the same edit, as far as their order allows.
    init(from old: [Edit], to new: [Edit]) {
        let (old, new) = (old.filter(\.isEnabled), new.filter(\.isEnabled))
        let difference = new.map(\.author).difference(from: old.map(\.author))
        var (removed, added): (Set<Int>, Set<Int>) = ([], [])
        for change in difference {
            switch change {
            case .remove(let place, _, _): removed.insert(place)
            case .insert(let place, _, _): added.insert(place)
            }
        }
        var rest = old.indices.filter { !removed.contains($0) }[...]
        var changes = removed.sorted().map { Change.removed(old[$0]) }
        for (place, edit) in new.enumerated() {
            if added.contains(place) {
                changes.append(.added(edit))
            } else if let before = rest.popFirst().map({ old[$0] }),
                before.adjustmentData != edit.adjustmentData || before.files != edit.files
            {
                changes.append(.changed(from: before, to: edit))
            }
        }
        self.changes = changes
    }

    /// The changes for people, one line each.
    func lines(_ values: [String: EditValues]) -> [String] {
        changes.map { change in
            switch change {
            case .added(let edit): return "+ \(edit.description(values[edit.identifier]))"
            case .removed(let edit): return "- \(edit.description(values[edit.identifier]))"
            case .changed(let old, let new):
                let pairs = Self.pairs(values[old.identifier], values[new.identifier])
                let words = pairs.map { name, before, after in
                    "\(name) \(before?.text.printable ?? "-") -> \(after?.text.printable ?? "-")"
                }
                return words.isEmpty
                    ? "~ \(new.author)  \(values[new.identifier]?.reason?.printable ?? "its recipe")"
                    : "~ \(new.author)  \(words.joined(separator: ", "))"
            }
        }
    }

    /// The changes as JSON.
    func json(_ values: [String: EditValues]) -> JSONValue {
        .array(
            changes.map { change in
                switch change {
                case .added(let edit):
                    Self.json("added", edit, Self.pairs(nil, values[edit.identifier]))
                case .removed(let edit):
                    Self.json("removed", edit, Self.pairs(values[edit.identifier], nil))
                case .changed(let old, let new):
                    Self.json(
                        "changed", new,
                        Self.pairs(values[old.identifier], values[new.identifier]))
                }
            })
    }

    private typealias Pair = (name: String, before: ParameterValue?, after: ParameterValue?)

    private static func json(_ kind: String, _ edit: Edit, _ pairs: [Pair]) -> JSONValue {
        [
            "change": .string(kind), "extension": JSONValue(edit.editingExtension?.identifier),
            "edit": .string(edit.identifier),
            "values": .object(
                pairs.map { pair in
                    let sides = [pair.before, pair.after].map { $0?.json ?? .null }
                    return (pair.name, .array(sides))
                }),
        ]
    }

    /// The values that are not the same, by their names.
    private static func pairs(_ old: EditValues?, _ new: EditValues?) -> [Pair] {
        let (before, after) = (old?.values ?? [:], new?.values ?? [:])
        return Set(before.keys).union(after.keys).sorted()
            .map { ($0, before[$0], after[$0]) }
            .filter { $0.1 != $0.2 }
    }
}
