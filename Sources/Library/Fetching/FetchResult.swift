// SPDX-License-Identifier: Apache-2.0

/// An ordered, lazy collection of the objects that match a fetch.
///
/// A result is read on first use. Then all row IDs are read in one transaction and kept, in at most
/// 16 bytes each. From then on, the members and their order are fixed, whatever happens to the
/// library. Objects are read on access, in chunks, and a bounded number of them is cached. An
/// object is therefore as current as its last read; keep the object, not the result, if it must not
/// change.
///
/// An object that was deleted after the row IDs were read keeps its position. The subscript returns
/// the cached object if there is one, otherwise a placeholder that has only an identifier
/// (``Asset/isRemoved``). ``object(at:)`` returns nil instead.
///
/// `count`, the subscript and the rest of `Collection` cannot throw. If the library cannot be read,
/// they return 0 and placeholders, and ``failure`` has the error. ``load()``, ``object(at:)`` and
/// ``enumerateObjects(_:)`` throw instead.
public struct FetchResult<Element: Sendable>: RandomAccessCollection, Sendable {
    /// The source of the objects.
    enum Storage: Sendable {
        /// Rows of the library.
        case fetched(FetchedObjects<Element>)
        /// Objects in memory, for which the library has no rows.
        case given([Element])
    }

    let storage: Storage

    init(_ objects: FetchedObjects<Element>) { storage = .fetched(objects) }

    /// Creates a result from objects that have no rows, such as smart albums.
    init(_ elements: [Element]) { storage = .given(elements) }

    /// The position of the first object: 0.
    public var startIndex: Int { 0 }
    /// The position after the last object.
    public var endIndex: Int {
        switch storage {
        case .fetched(let objects): objects.count
        case .given(let elements): elements.count
        }
    }
    /// The object at a position, which must be in range.
    public subscript(position: Int) -> Element {
        switch storage {
        case .fetched(let objects): objects[position]
        case .given(let elements): elements[position]
        }
    }
    /// The first object, or nil if the result is empty.
    public var firstObject: Element? { first }
    /// The last object, or nil if the result is empty.
    public var lastObject: Element? { last }

    /// The first error of an operation that cannot throw, or nil.
    public var failure: LibraryError? {
        guard case .fetched(let objects) = storage else { return nil }
        return objects.failure.map { error in
            error as? LibraryError
                ?? LibraryError(.database, "the library cannot be read", underlying: error)
        }
    }

    /// Reads the row IDs, unless they have been read. From then on, the members and their order are
    /// fixed.
    ///
    /// - Throws: `LibraryError`.
    public func load() throws {
        if case .fetched(let objects) = storage { _ = try objects.moment() }
    }

    /// Returns the object at a position, or nil if it was deleted before it was read or the
    /// position is out of range.
    ///
    /// - Throws: `LibraryError`.
    public func object(at position: Int) throws -> Element? {
        switch storage {
        case .fetched(let objects): try objects.object(at: position)
        case .given(let elements):
            elements.indices.contains(position) ? elements[position] : nil
        }
    }

    /// Returns the objects at the given positions, such as those of an `IndexSet`, in their order.
    /// Objects that were deleted before they were read and positions out of range are skipped.
    ///
    /// - Throws: `LibraryError`.
    public func objects(at positions: some Sequence<Int>) throws -> [Element] {
        try positions.compactMap { try object(at: $0) }
    }

    /// Returns all objects, except those that were deleted before they were read.
    package func elements() throws -> [Element] {
        var elements: [Element] = []
        try enumerateObjects { element, _ in elements.append(element) }
        return elements
    }

    /// Calls `body` with every object and its position, except those that were deleted before they
    /// were read.
    ///
    /// - Throws: `LibraryError`, and any error thrown by `body`.
    public func enumerateObjects(_ body: (Element, Int) throws -> Void) throws {
        try load()
        for position in indices {
            if let object = try object(at: position) { try body(object, position) }
        }
    }
}

extension FetchResult where Element: Identifiable, Element.ID == String {
    /// Returns the identifiers, in order, without reading any object.
    ///
    /// - Throws: `LibraryError`.
    public func localIdentifiers() throws -> [String] {
        switch storage {
        case .fetched(let objects): try objects.localIdentifiers()
        case .given(let elements): elements.map(\.id)
        }
    }

    /// Returns the position of the object with this identifier, or nil, without reading any object.
    ///
    /// - Throws: `LibraryError`.
    public func index(ofIdentifier identifier: String) throws -> Int? {
        switch storage {
        case .fetched(let objects): try objects.index(ofIdentifier: identifier)
        case .given(let elements): elements.firstIndex { $0.id == identifier }
        }
    }

    /// Returns the position of the object with the same identifier, even if its other properties
    /// differ. No object is read. Returns nil if there is none or the library cannot be read.
    public func index(of element: Element) -> Int? {
        guard count > 0 else { return nil }
        return (try? index(ofIdentifier: element.id)) ?? nil
    }

    /// Returns whether the result contains an object with the same identifier. No object is read.
    public func contains(_ element: Element) -> Bool { index(of: element) != nil }
}
