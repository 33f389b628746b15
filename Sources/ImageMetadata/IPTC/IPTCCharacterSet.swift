// SPDX-License-Identifier: Apache-2.0

/// The character set of the text in IPTC-IIM. Dataset 1:90 declares it with the escape sequences of ISO 2022.
enum IPTCCharacterSet {
    /// UTF-8 is declared.
    case utf8
    /// Latin-1 is declared.
    case latin1
    /// No character set is declared, or a rare one.
    case unknown

    /// The escape sequence for UTF-8.
    static let utf8Sequence: [UInt8] = [0x1B, 0x25, 0x47]

    /// - Parameter sequence: The value of dataset 1:90.
    init(_ sequence: [UInt8]?) {
        switch sequence {
        case Self.utf8Sequence, [0x1B, 0x25, 0x2F, 0x47], [0x1B, 0x25, 0x2F, 0x48],
            [0x1B, 0x25, 0x2F, 0x49]:
            self = .utf8
        case [0x1B, 0x2D, 0x41], [0x1B, 0x2E, 0x41], [0x1B, 0x2F, 0x41]: self = .latin1
        default: self = .unknown
        }
    }

    /// Decodes the text of a value.
    func string(_ value: [UInt8]) -> String {
        self == .latin1 ? String(windows1252: value) : String(metadata: value)
    }
}
