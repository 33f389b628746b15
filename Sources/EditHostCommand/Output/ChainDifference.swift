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
        /// It is not applied any more.
        case disabled(Edit)
        /// It is applied again.
        case enabled(Edit)
    }

    /// The changes, in the order of the edits afterwards; what is gone comes first.
    let changes: [Change]

    /// - Parameters:
    ///   - old: the edits before.
    ///   - new: those afterwards.
    init(from old: [Edit], to new: [Edit]) {
        let pairs = Self.pairs(of: old, new)
        let kept = Set(pairs.values)
        changes =
            old.indices.filter { !kept.contains($0) }.map { .removed(old[$0]) }
            + new.enumerated().flatMap { place, edit in
                pairs[place].map { Self.changes(from: old[$0], to: edit) } ?? [.added(edit)]
            }
    }

    private static func changes(from old: Edit, to new: Edit) -> [Change] {
        var changes: [Change] = []
        if !old.hasSameRecipe(as: new) { changes.append(.changed(from: old, to: new)) }
        if old.isEnabled != new.isEnabled {
            changes.append(new.isEnabled ? .enabled(new) : .disabled(new))
        }
        return changes
    }

    /// The places of edits before that are the same ones as those afterwards, by the places of these. Edits with the same
    /// recipe come first, as far as their order allows; of the rest, those by the same extension.
    private static func pairs(of old: [Edit], _ new: [Edit]) -> [Int: Int] {
        var pairs: [Int: Int] = [:]
        func pair(_ isSame: (Edit, Edit) -> Bool) {
            let before = old.indices.filter { !pairs.values.contains($0) }
            let after = new.indices.filter { pairs[$0] == nil }
            let difference = after.map { new[$0] }.difference(from: before.map { old[$0] }) {
                isSame($0, $1)
            }
            var (removed, added): (Set<Int>, Set<Int>) = ([], [])
            for change in difference {
                switch change {
                case .remove(let place, _, _): removed.insert(place)
                case .insert(let place, _, _): added.insert(place)
                }
            }
            let (left, right) = (
                before.indices.filter { !removed.contains($0) },
                after.indices.filter { !added.contains($0) }
            )
            for (place, other) in zip(left, right) { pairs[after[other]] = before[place] }
        }
        pair { $0.hasSameRecipe(as: $1) }
        // What has the same recipe and was moved is not the same edit in its place.
        pair { $0.author == $1.author && !$0.hasSameRecipe(as: $1) }
        return pairs
    }

    /// The changes for people, one line each.
    func lines(_ values: [String: EditValues]) -> [String] {
        changes.map { change in
            switch change {
            case .added(let edit): return "+ \(edit.description(values[edit.identifier]))"
            case .removed(let edit): return "- \(edit.description(values[edit.identifier]))"
            case .disabled(let edit): return "~ \(edit.author)  disabled"
            case .enabled(let edit): return "~ \(edit.author)  enabled"
            case .changed(let old, let new):
                let pairs = Self.pairs(values[old.identifier], values[new.identifier])
                let words = pairs.map { name, before, after in
                    "\(name) \(before?.text.printable ?? "-") -> \(after?.text.printable ?? "-")"
                }
                return words.isEmpty
                    ? "~ \(new.author)  "
                        + "\(values[new.identifier]?.reason?.printable ?? "recipe changed")"
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
                case .disabled(let edit): Self.json("disabled", edit, [])
                case .enabled(let edit): Self.json("enabled", edit, [])
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

extension Edit {
    fileprivate func hasSameRecipe(as other: Edit) -> Bool {
        author == other.author && adjustmentData == other.adjustmentData && files == other.files
    }
}
