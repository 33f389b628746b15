// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// ExifTool, the independent program that writes and reads metadata in these tests.
struct ExifTool {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Adds tags to a picture.
    func tagging(_ bytes: [UInt8], _ ending: String, _ arguments: [String]) throws -> TestFile {
        let path = try folder.write(Data(bytes), to: "original.\(ending)")
        let result = try runProgram(
            "/usr/bin/env",
            ["exiftool", "-q", "-m", "-n", "-overwrite_original"] + arguments + [path])
        guard result.status == 0 else { throw TestRunner.Failed(result.errors) }
        return try TestFile(path: path)
    }

    /// Writes a file for an argument of `tagging`, and returns its path.
    func file(_ bytes: [UInt8], _ name: String) throws -> String {
        try folder.write(Data(bytes), to: name)
    }

    /// The bytes of a tag, as printed with `-b`.
    func extract(_ tag: String, from file: TestFile) throws -> [UInt8] {
        let path = try folder.write(Data(file.bytes), to: "extracted")
        let output = folder.file("bytes")
        let result = try runProgram(
            "/bin/sh",
            ["-c", "exec exiftool -ee -b \"$1\" \"$2\" >\"$3\"", "sh", "-\(tag)", path, output])
        guard result.status == 0 else { throw TestRunner.Failed(result.errors) }
        return Array(try Data(contentsOf: URL(fileURLWithPath: output)))
    }

    /// All values of a repeatable tag, in file order.
    func values(of tag: String, in file: TestFile) throws -> [String] {
        let path = try folder.write(Data(file.bytes), to: "values")
        let result = try runProgram(
            "/usr/bin/env", ["exiftool", "-a", "-n", "-s3", "-\(tag)", path])
        return result.output.split(separator: "\n").map(String.init)
    }

    /// Reads all tags by group and name, such as `ExifIFD:DateTimeOriginal`.
    func read(_ file: TestFile) throws -> [String: String] {
        let path = try folder.write(Data(file.bytes), to: "output")
        let result = try runProgram("/usr/bin/env", ["exiftool", "-j", "-G1", "-n", "-a", path])
        let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        let tags = try #require((json as? [[String: Any]])?.first)
        return tags.mapValues { value in
            (value as? [Any])?.map { "\($0)" }.joined(separator: ", ") ?? "\(value)"
        }
    }
}
