// SPDX-License-Identifier: Apache-2.0

import JSONOutput
import Library

/// An event of the library, as it is sent to pages.
struct StudioEvent: Sendable {
    /// The kind of an event, which is its name in the stream.
    enum Kind: String, Sendable {
        case view, assets, collections, session, reset
        /// Keeps the connection open, reveals a lost network connection, and makes each page renew its editing session.
        case heartbeat
    }

    static let heartbeat = StudioEvent()

    let kind: Kind
    /// The view whose positions have changed; nil for events that all pages receive.
    let view: ObjectIdentifier?
    /// The token of the change; nil if the event corresponds to none.
    let token: ChangeToken?
    /// The JSON on one line.
    let data: String
    /// Whether this is the last event of its change, after which a page may continue from the token.
    let isLast: Bool

    init(
        _ kind: Kind, view: StudioView? = nil, token: ChangeToken?, isLast: Bool = false,
        _ row: JSONRow
    ) throws {
        self.kind = kind
        self.isLast = isLast
        self.view = view.map { ObjectIdentifier($0) }
        self.token = token
        data = try JSONText.of(row)
    }

    private init() {
        (kind, view, token, data, isLast) = (.heartbeat, nil, nil, "{}", false)
    }

    /// The size of the event in memory, without the fixed part.
    var byteCount: Int { data.utf8.count }

    /// The lines of the stream. The identifier allows a page that reconnects to continue from there.
    var text: String {
        let identifier = token.map { isLast ? "id: \($0)\n" : "" } ?? ""
        return "event: \(kind.rawValue)\n\(identifier)data: \(data)\n\n"
    }
}
