// SPDX-License-Identifier: Apache-2.0

import Library

/// The assets of a request: their identifiers, positions of a view, or a fetch.
struct RequestedAssets: Decodable, Sendable {
    /// The maximum number of assets in one request.
    private static let limit = 100_000

    var assets: [String]?
    var view: String?
    /// The first and the last position of each range.
    var positions: [[Int]]?
    /// The token that the positions correspond to; nil if they may refer to a changed view.
    var token: String?
    /// A fetch, all of whose assets are selected.
    var query: ViewRequest?

    /// The members, for requests that have others too.
    static let members = ["assets", "view", "positions", "token", "query"]

    /// Returns the identifiers, each once.
    ///
    /// - Throws: `StudioError` with `invalidRequest`; `LibraryError`, with `conflict` if the view has changed or is too
    ///   short.
    func identifiers(_ login: Login, in library: PhotoLibrary) throws -> [String] {
        let found: [String]
        guard view != nil || positions == nil else {
            throw StudioError(.invalidRequest, "positions are those of a view; give the view too")
        }
        switch (assets, view, query) {
        case (let assets?, nil, nil): found = assets
        case (nil, let view?, nil): found = try identifiers(of: login.view(view))
        case (nil, nil, let query?): found = try query.fetch(in: library).localIdentifiers()
        default:
            throw StudioError(.invalidRequest, "give one of assets, view with positions, and query")
        }
        guard found.count <= Self.limit else { throw Self.tooMany }
        var seen: Set<String> = []
        return found.filter { seen.insert($0).inserted }
    }

    private func identifiers(of view: StudioView) throws -> [String] {
        let snapshot = view.snapshot
        if let token, token != "\(snapshot.token)" {
            throw LibraryError(.conflict, "the view has changed since the photos were selected")
        }
        guard let positions else {
            throw StudioError(
                .invalidRequest, "a view needs positions, as pairs of the first and the last")
        }
        let all = try snapshot.result.localIdentifiers()
        return try Self.ranges(positions, below: all.count).flatMap { all[$0] }
    }

    /// Returns the ranges of positions. Their total length is checked before any identifier is copied: ranges that
    /// overlap could name far more photos than there are.
    ///
    /// - Throws: `StudioError` with `invalidRequest`; `LibraryError` with `conflict` if the view has fewer positions.
    static func ranges(_ positions: [[Int]], below count: Int) throws -> [ClosedRange<Int>] {
        var total = 0
        var ranges: [ClosedRange<Int>] = []
        for pair in positions {
            guard pair.count == 2, pair[0] >= 0, pair[0] <= pair[1] else {
                throw StudioError(
                    .invalidRequest, "positions must be pairs of the first and the last")
            }
            guard pair[1] < count else {
                throw LibraryError(
                    .conflict, "the view has fewer photos now; select them again")
            }
            ranges.append(pair[0]...pair[1])
            total += pair[1] - pair[0] + 1
            guard total <= limit else { throw tooMany }
        }
        return ranges
    }

    private static var tooMany: StudioError {
        StudioError(.invalidRequest, "more than \(limit) photos in one request")
    }
}
