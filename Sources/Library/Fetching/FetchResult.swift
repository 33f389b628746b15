// SPDX-License-Identifier: Apache-2.0

/// What a fetch finds, in order, however many there are.
///
/// Nothing is read until the result is used. Then the numbers of the rows are read, all at one
/// moment, and kept in at most 16 bytes each: what the result has, and in which order, does not
/// change afterwards, whatever happens to the library. The objects themselves are read when they
/// are touched, some around them along with them, and a bounded number of them is kept; so an
/// object is as the library had it when it was last read. Keep the object, not the result, where
/// it must stay as it is.
///
/// An object that was deleted after the rows were found keeps its place: it is given as it
/// was read, as long as that is kept, else as a remnant which has nothing but its identifier
/// (``Asset/isRemoved``). ``object(at:)`` gives nil instead.
///
/// `count`, the subscript and what comes with them cannot throw. Where the library cannot be
/// read, they give 0 and remnants, and ``failure`` says why. ``load()``, ``object(at:)`` and
/// ``enumerateObjects(_:)`` throw instead.
public struct FetchResult<Element: Sendable>: RandomAccessCollection, Sendable {
    /// Where the objects are.
    enum Storage: Sendable {
        /// In the library.
        case fetched(FetchedObjects<Element>)
        /// Here: the library has no rows of them.
        case given([Element])
    }

    let storage: Storage

    init(_ objects: FetchedObjects<Element>) { storage = .fetched(objects) }

    /// Makes a result of objects that the library has no rows of, such as smart albums.
    init(_ elements: [Element]) { storage = .given(elements) }

    /// The first place: 0.
    public var startIndex: Int { 0 }
    /// The place after the last.
    public var endIndex: Int {
        switch storage {
        case .fetched(let objects): objects.count
        case .given(let elements): elements.count
        }
    }
    /// The object at a place, which must exist.
    public subscript(position: Int) -> Element {
        switch storage {
        case .fetched(let objects): objects[position]
        case .given(let elements): elements[position]
        }
    }
    /// The first object, or nil.
    public var firstObject: Element? { first }
    /// The last object, or nil.
    public var lastObject: Element? { last }

    /// Why something could not be read, where that could not be thrown; the first time.
    public var failure: LibraryError? {
        guard case .fetched(let objects) = storage else { return nil }
        return objects.failure.map { error in
            error as? LibraryError
                ?? LibraryError(.database, "the library cannot be read", underlying: error)
        }
    }

    /// Reads which rows there are, unless that has been done: from now on the result is what it
    /// is.
    ///
    /// - Throws: `LibraryError`.
    public func load() throws {
        if case .fetched(let objects) = storage { _ = try objects.moment() }
    }

    /// The object at a place; nil where it has been deleted before it was read, or where the
    /// result has no such place.
    ///
    /// - Throws: `LibraryError`.
    public func object(at position: Int) throws -> Element? {
        switch storage {
        case .fetched(let objects): try objects.object(at: position)
        case .given(let elements):
            elements.indices.contains(position) ? elements[position] : nil
        }
    }

    /// The objects at some places, such as an `IndexSet`'s, in the order of these. Those that have been
    /// deleted before they were read are left out, and so are places that the result does not have.
    ///
    /// - Throws: `LibraryError`.
    public func objects(at positions: some Sequence<Int>) throws -> [Element] {
        try positions.compactMap { try object(at: $0) }
    }

    /// All objects, without those that have been deleted before they were read.
    package func elements() throws -> [Element] {
        var elements: [Element] = []
        try enumerateObjects { element, _ in elements.append(element) }
        return elements
    }

    /// Runs `body` with every object and its place, without those that have been deleted before
    /// they were read.
    ///
    /// - Throws: `LibraryError`; what `body` throws.
    public func enumerateObjects(_ body: (Element, Int) throws -> Void) throws {
        try load()
        for position in indices {
            if let object = try object(at: position) { try body(object, position) }
        }
    }
}

extension FetchResult where Element: Identifiable, Element.ID == String {
    /// The identifiers, in order; no object is read.
    ///
    /// - Throws: `LibraryError`.
    public func localIdentifiers() throws -> [String] {
        switch storage {
        case .fetched(let objects): try objects.localIdentifiers()
        case .given(let elements): elements.map(\.id)
        }
    }

    /// The place of the object of this identifier; no object is read.
    ///
    /// - Throws: `LibraryError`.
    public func index(ofIdentifier identifier: String) throws -> Int? {
        switch storage {
        case .fetched(let objects): try objects.index(ofIdentifier: identifier)
        case .given(let elements): elements.firstIndex { $0.id == identifier }
        }
    }

    /// The place of the object of this one's identifier, whatever else of it has changed; no object is
    /// read. Nil where there is none, and where the library cannot be read.
    public func index(of element: Element) -> Int? {
        guard count > 0 else { return nil }
        return (try? index(ofIdentifier: element.id)) ?? nil
    }

    /// Whether the result has an object of this one's identifier; no object is read.
    public func contains(_ element: Element) -> Bool { index(of: element) != nil }
}
