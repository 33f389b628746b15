// SPDX-License-Identifier: Apache-2.0

/// The ordered contents of an album or folder, addressed by row ID.
protocol CollectionContents {
    /// Returns the row ID of an object that can be a member.
    func row(of identifier: String) throws -> Int64
    /// Whether the collection contains an object.
    func contains(_ row: Int64) throws -> Bool
    /// Returns the row IDs of the given objects that are members.
    func present(_ identifiers: [String]) throws -> [Int64]
    /// Returns the members at these indexes, in ascending order.
    func rows(at indexes: [Int]) throws -> [Int64]
    /// Throws an error if an object cannot become a member.
    func requireAllowed(_ rows: [Int64]) throws

    /// Appends objects that are not yet members.
    func append(_ rows: [Int64]) throws
    /// Inserts objects that are not yet members.
    func insert(_ places: ListInsertions) throws
    /// Removes members.
    func remove(_ rows: [Int64]) throws
    /// Moves the members at these indexes to a destination index, counted without them.
    func move(at indexes: [Int], to destination: Int) throws
}

extension CollectionContents {
    func requireAllowed(_ rows: [Int64]) throws {}

    /// Appends the objects that are not yet members.
    func add(_ identifiers: [String]) throws {
        try append(try new(identifiers))
    }

    /// Inserts the objects that are not yet members. Each index is the final index of its object.
    func insert(_ identifiers: [String], at indexes: [Int]) throws {
        let isNew = Set(try new(identifiers))
        let named = try identifiers.map(row)
        try insert(try ListInsertions(ascending: indexes, for: named, where: isNew.contains))
    }

    /// Removes the objects that are members, and ignores the others.
    func remove(_ identifiers: [String]) throws {
        try remove(try present(identifiers))
    }

    /// Removes the members at these indexes.
    func remove(at indexes: [Int]) throws {
        try remove(try rows(at: indexes))
    }

    /// Returns the objects that are not yet members, without duplicates.
    private func new(_ identifiers: [String]) throws -> [Int64] {
        var seen: Set<Int64> = []
        let new = try identifiers.map(row).filter {
            try seen.insert($0).inserted && !contains($0)
        }
        try requireAllowed(new)
        return new
    }
}
