// SPDX-License-Identifier: Apache-2.0

/// What is to be put into a list, and where.
struct Places {
    /// What is to be put in, in the list's order.
    let elements: [Int64]
    /// Where each then is.
    private let indexes: [Int]

    /// Takes one index for each, of which only those count whose element is new to the list.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` where the indexes are not as many as the
    ///   elements, not ascending, or one is negative.
    init(ascending indexes: [Int], for all: [Int64], where isNew: (Int64) -> Bool) throws {
        guard indexes.count == all.count else {
            throw LibraryError(
                .invalidRequest,
                "\(all.count) to be inserted need as many indexes, not "
                    + "\(indexes.count)")
        }
        guard zip(indexes, indexes.dropFirst()).allSatisfy(<), indexes.first ?? 0 >= 0 else {
            throw LibraryError(
                .invalidRequest,
                "the indexes of inserted objects must be ascending and at "
                    + "least 0")
        }
        var seen: Set<Int64> = []
        let pairs = zip(all, indexes).filter { isNew($0.0) && seen.insert($0.0).inserted }
        elements = pairs.map(\.0)
        self.indexes = pairs.map(\.1)
    }

    /// Puts them into a list.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` where the list is too short.
    func insert(into list: inout [Int64]) throws {
        for (element, index) in zip(elements, indexes) {
            guard index <= list.count else { throw Self.outOfRange(index, count: list.count) }
            list.insert(element, at: index)
        }
    }

    /// Those that follow each other directly, with the index of the first.
    var runs: [(index: Int, elements: [Int64])] {
        var runs: [(index: Int, elements: [Int64])] = []
        for (element, index) in zip(elements, indexes) {
            if let last = runs.last, last.index + last.elements.count == index {
                runs[runs.count - 1].elements.append(element)
            } else {
                runs.append((index, [element]))
            }
        }
        return runs
    }

    /// The indexes in order, each once.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` where a list of so many has no such index.
    static func checked(_ indexes: [Int], count: Int) throws -> [Int] {
        let sorted = Set(indexes).sorted()
        for index in sorted where !(0..<count).contains(index) {
            throw outOfRange(index, count: count)
        }
        return sorted
    }

    /// There is no such index.
    static func outOfRange(_ index: Int, count: Int) -> LibraryError {
        LibraryError(
            .invalidRequest, "index \(index) is out of range: there are \(count)")
    }
}
