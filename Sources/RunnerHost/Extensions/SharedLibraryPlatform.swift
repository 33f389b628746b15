// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation

/// The platform of a shared library, from the first bytes of its file. The dynamic loader reports a library for
/// another platform as a missing file.
struct SharedLibraryPlatform: Equatable, CustomStringConvertible {
    /// The processor and address width, or the operating system, for messages.
    let description: String

    private init(_ description: String) { self.description = description }

    /// Returns nil if the file is truncated or of an unknown format.
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

    /// Returns nil if the file is truncated or of an unknown format.
    init?(of file: OpenFile) throws {
        self.init(header: try file.read(count: 20))
    }

    /// The platform of this program; nil if it is unknown, and nothing is compared with it.
    static let own: SharedLibraryPlatform? = {
        guard let file = FileHandle(forReadingAtPath: "/proc/self/exe") else { return nil }
        return (try? file.read(upToCount: 20)).flatMap { SharedLibraryPlatform(header: $0) }
    }()

    /// Returns the reason why a library of another platform cannot be loaded; nil if it matches or a platform
    /// is unknown.
    static func mismatch(of file: OpenFile, named name: String) throws -> String? {
        guard let own, let platform = try SharedLibraryPlatform(of: file), platform != own else {
            return nil
        }
        return "its library \(name) was built for \(platform); install a build for \(own)"
    }

    /// The magic numbers of thin and universal libraries.
    private static let machO: [[UInt8]] = [
        [0xcf, 0xfa, 0xed, 0xfe], [0xce, 0xfa, 0xed, 0xfe], [0xca, 0xfe, 0xba, 0xbe],
    ]

    /// Returns the name of a processor from `e_machine` of the ELF header.
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
