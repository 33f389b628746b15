// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation

/// The kind of machine that a shared library was built for, by the first bytes of its file. The loader
/// reports another one as a file that does not exist.
struct LibraryPlatform: Equatable, CustomStringConvertible {
    /// The processor and the width of addresses, or the system, in words.
    let description: String

    private init(_ description: String) { self.description = description }

    /// Nil: the file is of no format that is known, or too short to say.
    ///
    /// - Parameter header: The first 20 bytes of the file.
    init?(header: Data) {
        let bytes = [UInt8](header)
        if bytes.starts(with: [0x4d, 0x5a]) {
            self.init("Windows")
        } else if Self.machO.contains(where: { bytes.starts(with: $0) }) {
            self.init("macOS")
        } else if bytes.count >= 20, bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46]) {
            let isBigEndian = bytes[5] == 2
            let machine =
                isBigEndian
                ? UInt16(bytes[18]) << 8 | UInt16(bytes[19])
                : UInt16(bytes[19]) << 8 | UInt16(bytes[18])
            self.init(
                Self.name(of: machine) + (bytes[4] == 1 ? ", 32 bit" : ", 64 bit")
                    + (isBigEndian ? ", big-endian" : ""))
        } else {
            return nil
        }
    }

    /// Nil: as for ``init(header:)``.
    init?(of file: OpenFile) throws {
        self.init(header: try file.read(count: 20))
    }

    /// The platform of this program; nil: unknown, and nothing is compared with it.
    static let own: LibraryPlatform? = {
        guard let file = FileHandle(forReadingAtPath: "/proc/self/exe") else { return nil }
        return (try? file.read(upToCount: 20)).flatMap { LibraryPlatform(header: $0) }
    }()

    /// Why a library of another platform cannot be loaded; nil: it is of this program's, or of none that is known.
    static func mismatch(of file: OpenFile, named name: String) throws -> String? {
        guard let own, let platform = try LibraryPlatform(of: file), platform != own else {
            return nil
        }
        return "its library \(name) was built for \(platform); install a build for \(own)"
    }

    /// Thin and universal libraries.
    private static let machO: [[UInt8]] = [
        [0xcf, 0xfa, 0xed, 0xfe], [0xce, 0xfa, 0xed, 0xfe], [0xca, 0xfe, 0xba, 0xbe],
    ]

    /// By `e_machine` of ELF.
    private static func name(of machine: UInt16) -> String {
        switch machine {
        case 3: "x86"
        case 8: "MIPS"
        case 20, 21: "PowerPC"
        case 22: "s390"
        case 40: "ARM"
        case 62: "x86-64"
        case 183: "AArch64"
        case 243: "RISC-V"
        case 258: "LoongArch"
        default: "an unknown processor (\(machine))"
        }
    }
}
