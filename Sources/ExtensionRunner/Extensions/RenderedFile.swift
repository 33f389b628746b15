// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerProtocol

/// An output file of an extension. It is opened before the extension's completion returns, because the extension may
/// remove it afterwards.
final class RenderedFile: Sendable {
    /// The MIME type declared by the extension.
    let contentType: String
    private let file: OpenFile

    // SEEK_DATA and SEEK_HOLE, which the Glibc headers define only with _GNU_SOURCE.
    private static let seekData: Int32 = 3
    private static let seekHole: Int32 = 4

    /// Opens a file; `nil` if it does not exist or is not a regular file, such as a link.
    init?(path: String, contentType: String) {
        // Non-blocking, because opening a FIFO would wait for its writer.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { return nil }
        file = OpenFile(descriptor: number)
        self.contentType = contentType
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    }

    /// Returns the description for the host.
    ///
    /// - Parameter profile: The profile of the pixels, for a file without one.
    func description(_ profile: ColorProfile) -> WrittenFile {
        WrittenFile(contentType: contentType, profile: profile)
    }

    /// Copies the written data. Holes stay holes, regardless of the apparent length.
    ///
    /// - Parameter target: An empty file, or a file of zeros with the maximum length of the copy. The latter is
    ///   truncated to the written data, without a hole at the end.
    /// - Throws: `outputFailed`.
    func copy(to target: OpenFile) throws(RunnerFailure) {
        guard let length = file.length, let room = target.length else {
            throw Self.failure("it cannot be examined")
        }
        var end = 0
        while let part = nextPart(from: end, below: length) {
            guard room == 0 || part.upperBound <= room else {
                throw Self.failure(
                    "it is longer than the \(room >> 20) MiB of the extension's budget; raise "
                        + "memoryBytes or outputBytes in the configuration file")
            }
            try copy(part, to: target)
            end = part.upperBound
        }
        guard ftruncate(target.descriptor, off_t(room == 0 ? length : end)) == 0 else {
            throw Self.failure(lastError)
        }
    }

    /// Returns the next range of written data. On file systems without holes, this is the whole file.
    private func nextPart(from start: Int, below length: Int) -> Range<Int>? {
        guard start < length else { return nil }
        let data = Int(lseek(file.descriptor, off_t(start), Self.seekData))
        if data < 0 { return errno == ENXIO ? nil : start..<length }
        let hole = Int(lseek(file.descriptor, off_t(data), Self.seekHole))
        let end = min(hole < 0 ? length : hole, length)
        return data < end ? data..<end : nil
    }

    private func copy(_ part: Range<Int>, to target: OpenFile) throws(RunnerFailure) {
        let room = UnsafeMutableRawBufferPointer.allocate(
            byteCount: min(part.count, 1 << 20), alignment: 16)
        defer { room.deallocate() }
        var offset = part.lowerBound
        while offset < part.upperBound {
            let limit = min(room.count, part.upperBound - offset)
            let count = pread(file.descriptor, room.baseAddress, limit, off_t(offset))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure(lastError) }
            // The file became shorter in the meantime. The decoder detects missing data.
            if count == 0 { return }
            let bytes = UnsafeRawBufferPointer(rebasing: room[..<count])
            guard (try? target.write(bytes, at: offset)) != nil else {
                throw Self.failure(lastError)
            }
            offset += count
        }
    }

    private var lastError: String { String(cString: strerror(errno)) }

    private static func failure(_ reason: String) -> RunnerFailure {
        RunnerFailure(
            code: .outputFailed, message: "its output file cannot be copied: \(reason)")
    }
}
