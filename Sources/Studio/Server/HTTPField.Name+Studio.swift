// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Header fields that HTTPTypes does not declare.
extension HTTPField.Name {
    /// The relation of the requesting page to this server. Browsers set these three, and pages cannot.
    static let secFetchSite = known("Sec-Fetch-Site")
    static let secFetchMode = known("Sec-Fetch-Mode")
    static let secFetchDestination = known("Sec-Fetch-Dest")

    static let host = known("Host")
    static let referrerPolicy = known("Referrer-Policy")
    static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
    static let permissionsPolicy = known("Permissions-Policy")
    static let lastEventID = known("Last-Event-ID")
    /// The change token that the body of a response corresponds to.
    static let changeToken = known("Edithost-Change-Token")

    /// The revision of a preview.
    static let editRevision = known("Edit-Revision")
    /// The size of the edited picture at full size.
    static let editWidth = known("Edit-Width")
    static let editHeight = known("Edit-Height")
    /// The values that an extension has changed, as percent-encoded JSON.
    static let editValues = known("Edit-Values")

    /// Returns a name that is known to be valid.
    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("invalid header \(name)") }
        return name
    }
}
