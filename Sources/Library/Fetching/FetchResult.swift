// SPDX-License-Identifier: Apache-2.0

/// What a fetch found, in order. It does not change when the library does.
public struct FetchResult<Element: Sendable>: RandomAccessCollection, Sendable {
    private let elements: [Element]

    init(_ elements: [Element]) { self.elements = elements }

    /// The first place: 0.
    public var startIndex: Int { elements.startIndex }
    /// The place after the last.
    public var endIndex: Int { elements.endIndex }
    /// The element at a place.
    public subscript(position: Int) -> Element { elements[position] }
    /// The first element, or nil.
    public var firstObject: Element? { elements.first }
    /// The last element, or nil.
    public var lastObject: Element? { elements.last }
}
