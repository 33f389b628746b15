// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc
import Synchronization

/// Advisory locks on the assets that processes are rendering, so that several processes can share
/// the work without doing any of it twice.
///
/// A claim is a lock on one byte of the library's file `claims`, at an offset derived from the
/// asset's identifier. The kernel releases it when the process ends, even after a crash. A claim
/// does not prevent edits of the asset. See docs/design/decisions/0035-plans-and-claims.md.
package final class AssetClaims: Sendable {
    private let file: OpenFile
    /// The offsets that are locked through `file`.
    private let held = Mutex<Set<off_t>>([])

    /// - Throws: `LibraryError` with `cannotWrite`, or `readOnly` for a read-only library.
    package init(_ library: PhotoLibrary) throws {
        _ = try library.writer()
        do {
            file = try library.root.file(LibraryName.claims, O_RDWR | O_CREAT, mode: 0o666)
        } catch {
            throw LibraryError.writing(library.path + "/" + LibraryName.claims, error)
        }
    }

    /// A claim on an asset, held until the last reference is released.
    package final class Claim: Sendable {
        private let claims: AssetClaims
        private let place: off_t

        fileprivate init(_ claims: AssetClaims, _ place: off_t) {
            self.claims = claims
            self.place = place
        }

        deinit { claims.release(place) }
    }

    /// Claims an asset. Returns nil if it is already claimed, by this process or another.
    package func take(_ identifier: String) -> Claim? {
        // The offset is 60 bits of the identifier, which is random. If two assets collide, one of
        // them is skipped needlessly.
        let digits = identifier.filter(\.isHexDigit).prefix(15)
        let place = off_t(digits, radix: 16) ?? 0
        let isTaken = held.withLock { held in
            // The kernel grants a lock again to the open file that holds it.
            guard !held.contains(place) else { return false }
            // On a file system without such locks, the claim succeeds: duplicate work is better
            // than none.
            if !lock(F_WRLCK, at: place), [EAGAIN, EACCES].contains(errno) { return false }
            held.insert(place)
            return true
        }
        return isTaken ? Claim(self, place) : nil
    }

    private func release(_ place: off_t) {
        held.withLock { held in
            held.remove(place)
            _ = lock(F_UNLCK, at: place)
        }
    }

    /// `F_OFD_SETLK`, which Glibc's module does not export. The lock belongs to the open file
    /// description, not to the process.
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
