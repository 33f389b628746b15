// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import ImageMetadata
import TestSupport
import Testing

/// A small private file system that lives as long as this object.
private final class SmallDisk {
    /// The path of its folder, through the process that mounted it.
    let path: String
    private let folder: TemporaryFolder
    private let process = Process()
    private let input = Pipe()

    static let isPossible: Bool = (try? SmallDisk(kilobytes: 64)) != nil

    init(kilobytes: Int) throws {
        folder = try TemporaryFolder()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let script = "mount -t tmpfs -o size=\(kilobytes)k none \"$0\" && echo ready && cat"
        process.arguments = [
            "unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, folder.path,
        ]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        path = "/proc/\(process.processIdentifier)/root\(folder.path)"
        guard output.fileHandleForReading.availableData.starts(with: Data("ready".utf8)),
            FileManager.default.isWritableFile(atPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// Writes to movies on a full disk.
@Suite(
    "movies on a full disk",
    .enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
struct FullDiskTests {
    @Test("a full disk is reported, and the file is unchanged", arguments: [false, true])
    func full(isInFront: Bool) throws {
        let folder = try TemporaryFolder()
        let original = try MovieFile.pattern(folder.file("a.mov"), seconds: 1)
        let made = try original.remade(folder.file("b.mov"), movieInFront: isInFront)
        try Movie.addStillImageTime(RationalTime(1, over: 2), to: original.open())
        let disk = try SmallDisk(kilobytes: 256)
        let file = try made.copy(to: "\(disk.path)/c.mov")
        let before = try file.data
        let filler = try OpenFile("\(disk.path)/filler", O_RDWR | O_CREAT, mode: 0o600)
        let zeros = [UInt8](repeating: 0, count: 1 << 10)
        while (try? zeros.withUnsafeBytes { try filler.append($0) }) != nil {}
        let text = String(repeating: "x", count: 10_000)
        let error = #expect(throws: MovieError.self) {
            try Movie.setMetadata([.contentIdentifier: MetadataValue(text)], in: file.open())
        }
        #expect(error?.code == .diskFull, "\(error as Any)")
        #expect("\(error as Any)".contains("No space left on device"))
        #expect(try file.data == before)
        // A copy needs less space, which the last block may still have.
        do {
            let copier = try TimedMetadataCopier.copy(
                from: original.openForReading(), into: file.open())
            #expect(copier.trackCount == 1)
        } catch let error as MovieError {
            #expect(error.code == .diskFull)
            #expect(try file.data == before)
        }
        #expect(ftruncate(filler.descriptor, 0) == 0)
        try Movie.setMetadata([.contentIdentifier: MetadataValue(text)], in: file.open())
        #expect(try file.movie().metadata()[.contentIdentifier]?.text == text)
        #expect(try file.packets() == made.packets() && file.complaints() == "")
        withExtendedLifetime(disk) {}
    }
}
