// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// Says which assets a process is rendering, so that several share the work and none is done twice.
///
/// A claim is the lock of a byte in the library's file `claims`, at a place that the asset's identifier says. The kernel
/// gives it up with the process, however that ends; it is advice, and keeps nobody from editing the asset.
/// See docs/design/decisions/0035-plans-and-claims.md.
package final class AssetClaims: Sendable {
    private let file: OpenFile

    /// - Throws: `LibraryError` with `cannotWrite`, or `readOnly` in a library that is open for reading only.
    package init(_ library: PhotoLibrary) throws {
        _ = try library.writer()
        do {
            file = try library.root.file(LibraryName.claims, O_RDWR | O_CREAT, mode: 0o666)
        } catch {
            throw LibraryError.writing(library.path + "/" + LibraryName.claims, error)
        }
    }

    /// An asset that this process is rendering, until the last reference goes.
    package final class Claim: Sendable {
        private let claims: AssetClaims
        private let place: off_t

        fileprivate init?(_ claims: AssetClaims, _ place: off_t) {
            self.claims = claims
            self.place = place
            // Where a file system has no such locks, work is done twice rather than never.
            if !claims.lock(F_WRLCK, at: place), [EAGAIN, EACCES].contains(errno) { return nil }
        }

        deinit { _ = claims.lock(F_UNLCK, at: place) }
    }

    /// Claims an asset; nil: another process is rendering it.
    package func take(_ identifier: String) -> Claim? {
        // 60 bits of the identifier, which is random: where two have one place, one waits for nothing.
        let digits = identifier.filter(\.isHexDigit).prefix(15)
        return Claim(self, off_t(digits, radix: 16) ?? 0)
    }

    /// `F_OFD_SETLK`, which Glibc's module leaves out: the lock belongs to the open file, and not to all of the process.
    private static let setLock: CInt = 37

    private func lock(_ type: CInt, at place: off_t) -> Bool {
        var lock = flock()
        lock.l_type = CShort(type)
        lock.l_whence = CShort(SEEK_SET)
        lock.l_start = place
        lock.l_len = 1
        return fcntl(file.descriptor, Self.setLock, &lock) == 0
    }
}
