// SPDX-License-Identifier: Apache-2.0

/// How the texts of IPTC-IIM are encoded: the dataset 1:90 says it in the words of ISO 2022.
enum IPTCText {
    /// It says UTF-8.
    case utf8
    /// It says Latin-1.
    case latin1
    /// Nothing is said, or something rare.
    case unknown

    /// The number of the dataset.
    static let characterSet: UInt8 = 90
    /// ISO 2022's name for UTF-8.
    static let utf8Name: [UInt8] = [0x1B, 0x25, 0x47]

    /// - Parameter name: what 1:90 says.
    init(_ name: [UInt8]?) {
        switch name {
        case Self.utf8Name, [0x1B, 0x25, 0x2F, 0x47], [0x1B, 0x25, 0x2F, 0x48],
            [0x1B, 0x25, 0x2F, 0x49]:
            self = .utf8
        case [0x1B, 0x2D, 0x41], [0x1B, 0x2E, 0x41], [0x1B, 0x2F, 0x41]: self = .latin1
        default: self = .unknown
        }
    }

    /// The text of a value.
    func string(_ value: [UInt8]) -> String {
        self == .latin1 ? String(windows1252: value) : String(metadata: value)
    }
}
