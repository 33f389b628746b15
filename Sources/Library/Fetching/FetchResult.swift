// SPDX-License-Identifier: Apache-2.0

/// What a fetch finds, in order, however many there are.
///
/// Nothing is read until the result is used. Then the identifiers are read, all at one moment,
/// and kept in 16 bytes each: what the result has, and in which order, does not change
/// afterwards, whatever happens to the library. The objects themselves are read when they are
/// touched, some around them along with them, and a bounded number of them is kept; so an
/// object is as the library had it when it was last read. Keep the object, not the result, where
/// it must stay as it is.
///
/// An object that was deleted after the identifiers were read keeps its place: it is given as it
/// was read, as long as that is kept, else as a remnant which has nothing but its identifier
/// (``Asset/isRemoved``). ``object(at:)`` gives nil instead.
///
/// `count`, the subscript and what comes with them cannot throw. Where the library cannot be
/// read, they give 0 and remnants, and ``failure`` says why. ``load()``, ``object(at:)`` and
/// ``enumerateObjects(_:)`` throw instead.
public struct FetchResult<Element: Sendable>: RandomAccessCollection, Sendable {
    private let objects: FetchedObjects<Element>

    init(_ source: FetchedObjects<Element>.Source) { objects = FetchedObjects(source) }

    /// The first place: 0.
    public var startIndex: Int { 0 }
    /// The place after the last.
    public var endIndex: Int { objects.count }
    /// The object at a place, which must exist.
    public subscript(position: Int) -> Element { objects[position] }
    /// The first object, or nil.
    public var firstObject: Element? { first }
    /// The last object, or nil.
    public var lastObject: Element? { last }

    /// Why something could not be read, where that could not be thrown; the first time.
    public var failure: LibraryError? {
        objects.failure.map { error in
            error as? LibraryError
                ?? LibraryError(.database, "the library cannot be read", underlying: error)
        }
    }

    /// Reads the identifiers, unless that has been done: from now on the result is what it is.
    ///
    /// - Throws: `LibraryError`.
    public func load() throws { _ = try objects.identifiers() }

    /// The object at a place; nil where it has been deleted before it was read, or where the
    /// result has no such place.
    ///
    /// - Throws: `LibraryError`.
    public func object(at position: Int) throws -> Element? { try objects.object(at: position) }

    /// Runs `body` with every object and its place, without those that have been deleted before
    /// they were read.
    ///
    /// - Throws: `LibraryError`; what `body` throws.
    public func enumerateObjects(_ body: (Element, Int) throws -> Void) throws {
        for position in try objects.identifiers().indices {
            if let object = try objects.object(at: position) { try body(object, position) }
        }
    }

    /// The identifiers, in order; no object is read.
    ///
    /// - Throws: `LibraryError`.
    public func localIdentifiers() throws -> [String] {
        try objects.identifiers().map(\.text)
    }
}

extension FetchResult where Element: Identifiable, Element.ID == String {
    /// The place of the object of this identifier; no object is read.
    ///
    /// - Throws: `LibraryError`.
    public func index(ofIdentifier identifier: String) throws -> Int? {
        guard let packed = PackedIdentifier(identifier) else { return nil }
        return try objects.identifiers().firstIndex(of: packed)
    }

    /// Whether the result has an object of this one's identifier; no object is read.
    public func contains(_ element: Element) -> Bool {
        guard count > 0 else { return false }
        return (try? index(ofIdentifier: element.id)) != nil
    }
}
