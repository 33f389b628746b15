// SPDX-License-Identifier: Apache-2.0

/// A set of insertions into a list: elements with their final indexes.
struct ListInsertions {
    /// The elements to insert, in list order.
    let elements: [Int64]
    /// The final index of each element.
    private let indexes: [Int]

    /// Pairs elements with indexes. Elements that are already in the list are dropped, along with
    /// their indexes.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if the number of indexes differs from the
    ///   number of elements, or the indexes are negative or not ascending.
    init(ascending indexes: [Int], for all: [Int64], where isNew: (Int64) -> Bool) throws {
        guard indexes.count == all.count else {
            throw LibraryError(
                .invalidRequest,
                "the number of indexes must be that of the inserted objects, \(all.count), not "
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

    /// Inserts the elements into a list.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if an index is out of range.
    func insert(into list: inout [Int64]) throws {
        for (element, index) in zip(elements, indexes) {
            guard index <= list.count else { throw Self.outOfRange(index, count: list.count) }
            list.insert(element, at: index)
        }
    }

    /// The elements grouped into runs of consecutive indexes, each with its first index.
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

    /// Returns the indexes sorted and without duplicates.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if an index is out of range for `count`
    ///   elements.
    static func checked(_ indexes: [Int], count: Int) throws -> [Int] {
        let sorted = Set(indexes).sorted()
        for index in sorted where !(0..<count).contains(index) {
            throw outOfRange(index, count: count)
        }
        return sorted
    }

    /// The error for an out-of-range index.
    static func outOfRange(_ index: Int, count: Int) -> LibraryError {
        LibraryError(
            .invalidRequest, "index \(index) is out of range: there are \(count)")
    }
}
