// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import JSONOutput
import Library

/// The difference between two states of a photo.
struct EditStackDifference {
    /// A change of one edit.
    enum Change {
        case added(Edit)
        case removed(Edit)
        /// The recipe has changed.
        case changed(from: Edit, to: Edit)
        /// The edit has been disabled.
        case disabled(Edit)
        /// The edit has been enabled.
        case enabled(Edit)
    }

    /// The changes in the order of the new edits, after the removed ones.
    let changes: [Change]

    /// - Parameters:
    ///   - old: The edits of the earlier state.
    ///   - new: The edits of the later state.
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

    /// Matches new edits to old ones, as indexes of the latter keyed by those of the former.
    ///
    /// Edits with the same recipe are matched first, in order. The remaining ones are matched by extension.
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
        // An edit that was moved has the same recipe but is not a change of the edit at its position.
        pair { $0.author == $1.author && !$0.hasSameRecipe(as: $1) }
        return pairs
    }

    /// Returns the changes as text, one line each.
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

    /// Returns the changes as JSON.
    func rows(_ values: [String: EditValues]) -> [JSONRow] {
        changes.map { change in
            switch change {
            case .added(let edit):
                Self.row("added", edit, Self.pairs(nil, values[edit.identifier]))
            case .removed(let edit):
                Self.row("removed", edit, Self.pairs(values[edit.identifier], nil))
            case .disabled(let edit): Self.row("disabled", edit, [])
            case .enabled(let edit): Self.row("enabled", edit, [])
            case .changed(let old, let new):
                Self.row(
                    "changed", new,
                    Self.pairs(values[old.identifier], values[new.identifier]))
            }
        }
    }

    private typealias Pair = (name: String, before: ParameterValue?, after: ParameterValue?)

    private static func row(_ kind: String, _ edit: Edit, _ pairs: [Pair]) -> JSONRow {
        [
            "change": kind, "extension": edit.editingExtension?.identifier, "edit": edit.identifier,
            "values": JSONRow(pairs.map { ($0.name, [$0.before, $0.after]) }),
        ]
    }

    /// Returns the values that differ, with their names.
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
