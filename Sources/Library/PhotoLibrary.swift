// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Synchronization

/// A photo library: a folder with a database and the files it references.
///
/// Any number of processes may open a library concurrently. Reads never block. Each call of
/// ``performChanges(_:)`` is one transaction: after a power failure, its changes are either
/// complete or absent.
public final class PhotoLibrary: Sendable {
    /// The path of the library's folder.
    public let path: String
    /// The options with which the library was opened.
    public let options: Options

    /// The library's folder, held open so that all files are resolved relative to it.
    let root: Folder
    let store: BlobStore
    let pool: any DatabaseReader
    let session: StagingSession?
    let observation = Observation()
    let verifier = Mutex<(any ContentVerifier)?>(nil)
    /// The serial queue for change blocks with a completion handler.
    let blockQueue = DispatchQueue(label: "photo library change blocks")

    /// Creates a new, empty library and opens it.
    ///
    /// - Parameter path: A missing or empty folder, whose parent exists.
    /// - Throws: `LibraryError`: `alreadyExists`, `cannotWrite`, `unsupportedFileSystem`.
    public static func create(at path: String, options: Options = Options()) throws
        -> PhotoLibrary
    {
        let root = try LibraryOpener.makeFolder(at: path)
        return try PhotoLibrary(root: root, options: options, isNew: true)
    }

    /// Opens an existing library, and migrates it if its format is older.
    ///
    /// - Throws: `LibraryError`:
    ///   - `notALibrary` if there is no library.
    ///   - `invalidLayout` if there are links, pipes or other special files in place of files and
    ///     folders.
    ///   - `newerSchema` if a newer version wrote the library.
    ///   - `busy` while another process migrates or prunes it.
    ///   - `damaged` if it was not closed cleanly and its database fails SQLite's check.
    ///   - `cannotWrite`, `unsupportedFileSystem`.
    public static func open(at path: String, options: Options = Options()) throws -> PhotoLibrary {
        let root = try LibraryOpener.openFolder(
            at: path, needsDatabase: options.snapshotName == nil)
        return try PhotoLibrary(root: root, options: options, isNew: false)
    }

    /// Opens a library, or creates it if there is none. Several processes may call this
    /// concurrently.
    ///
    /// - Throws: The errors of `open` and `create`; `notALibrary` if the path leads to something
    ///   other than a library.
    public static func openOrCreate(at path: String, options: Options = Options()) throws
        -> PhotoLibrary
    {
        do {
            return try open(at: path, options: options)
        } catch let error as LibraryError where error.code == .notALibrary {
            do {
                return try create(at: path, options: options)
            } catch let other as LibraryError where other.code == .alreadyExists {
                return try open(at: path, options: options)
            }
        }
    }

    /// Opens a folder that is known to be a library, or one that was just created for a new
    /// library.
    init(
        root: Folder, options: Options, isNew: Bool, schema: Schema = .current
    ) throws {
        self.root = root
        self.options = options
        path = root.path
        store = BlobStore(root: root)
        let opener = LibraryOpener(root: root, options: options, isNew: isNew, schema: schema)
        let reserve = ReserveFile(root: root)
        if options.usesReserve, !options.isReadOnly { reserve.releaseIfNeeded() }
        do {
            (pool, session) = try opener.open()
        } catch let error as LibraryError
            where error.code == .cannotWrite && options.usesReserve && reserve.release()
        {
            // A quota may be exhausted although the disk has free space.
            (pool, session) = try opener.open()
        }
    }

    deinit { try? close() }

    /// The paths inside the library, for messages.
    var layout: LibraryLayout { root.layout }

    /// Closes the database. The last process to close it checkpoints the write-ahead log. Observers
    /// receive no further changes, and the streams of ``changes()`` finish. The object must not be
    /// used afterwards. Deinitialisation also closes the library.
    ///
    /// - Throws: `LibraryError` if SQLite could not close the database. Committed changes are not
    ///   lost.
    public func close() throws {
        observation.stop()
        defer { session?.end() }
        if let pool = pool as? DatabasePool { emptyLog(pool) }
        try translatingDatabaseErrors(path: path) { try pool.close() }
    }

    /// Checkpoints the write-ahead log into the database, unless another process is using it.
    private func emptyLog(_ pool: DatabasePool) {
        try? pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA busy_timeout = 0")
            try database.checkpoint(.truncate)
        }
    }

    /// The identifier of this library, a UUID created with it.
    ///
    /// - Throws: `LibraryError`.
    public var identifier: String {
        get throws {
            try read { database in
                try database.value("SELECT uuid FROM library") ?? ""
            }
        }
    }

    /// Runs `body` in one read transaction.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try translatingDatabaseErrors(path: path) { try pool.read(body) }
    }

    /// Whether the library has an older format and is read from an upgraded copy of its database.
    var isUpdatedCopy: Bool { (pool as? DatabaseQueue)?.path.isEmpty == true }

    /// Returns the database writer and staging session.
    ///
    /// - Throws: `LibraryError` with `readOnly`.
    func writer() throws -> (DatabasePool, StagingSession) {
        guard let pool = pool as? DatabasePool, let session else {
            throw LibraryError(
                .readOnly, "the library is open read-only", path: path)
        }
        return (pool, session)
    }
}
