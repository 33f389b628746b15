// SPDX-License-Identifier: Apache-2.0

/// The child boxes of a box.
struct BoxList: Sendable {
    let parent: BoxType
    let boxes: [Box]

    /// Returns the box of a type, or `nil`. Several boxes of the type are an error.
    func optional(_ type: BoxType) throws(MovieError) -> Box? {
        let found = boxes.filter { $0.type == type }
        guard found.count <= 1 else {
            throw .damaged("the box \(parent) has \(found.count) boxes \(type)")
        }
        return found.first
    }

    /// Returns the only box of a type. A missing or duplicate box is an error.
    func only(_ type: BoxType) throws(MovieError) -> Box {
        guard let box = try optional(type) else {
            throw .damaged("the box \(parent) has no box \(type)")
        }
        return box
    }
}
