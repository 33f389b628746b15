// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerProtocol

/// A file that an extension wrote as its output. It is opened before the extension's completion
/// returns: from then on the extension may remove it.
final class RenderedFile: Sendable {
    /// The MIME type that the extension announced.
    let contentType: String
    private let file: OpenFile

    // SEEK_DATA and SEEK_HOLE, which Glibc's headers have for GNU programs only.
    private static let seekData: Int32 = 3
    private static let seekHole: Int32 = 4

    /// Opens a file; nil where the path leads to none, or to something else such as a link.
    init?(path: String, contentType: String) {
        // Not blocking: a FIFO is not waited for.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { return nil }
        file = OpenFile(descriptor: number)
        self.contentType = contentType
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    }

    /// What the host is told.
    ///
    /// - Parameter profile: that of the pixels, where the file has none.
    func description(_ profile: ColorProfile) -> WrittenFile {
        WrittenFile(contentType: contentType, profile: profile)
    }

    /// Copies what was written. Holes stay holes, whatever length they pretend.
    ///
    /// - Parameter target: An empty file, or one of zeros as long as the copy may become, which a hole at the end is
    ///   left out of.
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

    /// The next bytes that were written. On a file system that knows no holes these are all.
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
            let wanted = min(room.count, part.upperBound - offset)
            let count = pread(file.descriptor, room.baseAddress, wanted, off_t(offset))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure(lastError) }
            // It became shorter meanwhile; what is missing is found when it is decoded.
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
