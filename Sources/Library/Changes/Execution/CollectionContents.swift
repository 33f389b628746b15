// SPDX-License-Identifier: Apache-2.0

/// What lies in an album or a folder, by rows, in the order that the user has given it.
protocol CollectionContents {
    /// The row of something that can lie in it.
    func row(of identifier: String) throws -> Int64
    /// Whether it is in there.
    func contains(_ row: Int64) throws -> Bool
    /// Those of them that are in there.
    func present(_ identifiers: [String]) throws -> [Int64]
    /// What is at these indexes, in order.
    func rows(at indexes: [Int]) throws -> [Int64]
    /// Fails where one of them must not be put in.
    func requireAllowed(_ rows: [Int64]) throws

    /// Puts at the end what is not in there.
    func append(_ rows: [Int64]) throws
    /// Puts in what is not in there.
    func insert(_ places: Places) throws
    /// Takes out what is in there.
    func remove(_ rows: [Int64]) throws
    /// Takes out what is at these indexes and puts it in again.
    func move(at indexes: [Int], to destination: Int) throws
}

extension CollectionContents {
    func requireAllowed(_ rows: [Int64]) throws {}

    /// Puts at the end what is not in there yet.
    func add(_ identifiers: [String]) throws {
        try append(try new(identifiers))
    }

    /// Puts what is not in there yet where it then has these indexes.
    func insert(_ identifiers: [String], at indexes: [Int]) throws {
        let isNew = Set(try new(identifiers))
        let named = try identifiers.map(row)
        try insert(try Places(ascending: indexes, for: named, where: isNew.contains))
    }

    /// Takes out those of them that are in there.
    func remove(_ identifiers: [String]) throws {
        try remove(try present(identifiers))
    }

    /// Takes out what is at these indexes.
    func remove(at indexes: [Int]) throws {
        try remove(try rows(at: indexes))
    }

    /// Those of them that are not in there yet, each once.
    private func new(_ identifiers: [String]) throws -> [Int64] {
        var seen: Set<Int64> = []
        let new = try identifiers.map(row).filter {
            try seen.insert($0).inserted && !contains($0)
        }
        try requireAllowed(new)
        return new
    }
}
