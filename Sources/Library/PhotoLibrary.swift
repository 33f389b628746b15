// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Synchronization

/// A library of photographs: a folder with a database and the files it names.
///
/// Any number of processes may have one library open at once. Reading never waits. Changes are
/// made in ``performChanges(_:)``, and each is one transaction: it is wholly in the library,
/// even after a power failure, or not at all.
public final class PhotoLibrary: Sendable {
    /// The library's folder.
    public let path: String
    /// The options it was opened with.
    public let options: Options

    /// The library's folder, which is opened once.
    let root: Folder
    let store: BlobStore
    let pool: any DatabaseReader
    let session: StagingSession?
    let observation = Observation()
    let verifier = Mutex<(any ContentVerifier)?>(nil)
    /// Where change blocks run that nobody waits for, one after the other.
    let blockQueue = DispatchQueue(label: "photo library change blocks")

    /// Makes a new, empty library and opens it.
    ///
    /// - Parameter path: A folder that does not exist, or an empty one. Its parent must exist.
    /// - Throws: `LibraryError`: `alreadyExists`, `cannotWrite`, `unsupportedFileSystem`.
    public static func create(at path: String, options: Options = Options()) throws
        -> PhotoLibrary
    {
        let root = try LibraryOpener.makeFolder(at: path)
        return try PhotoLibrary(root: root, options: options, isNew: true)
    }

    /// Opens a library.
    ///
    /// - Throws: `LibraryError`: `notALibrary`, `invalidLayout` where it has links, pipes and the like
    ///   where files and folders belong, `newerSchema`, `cannotWrite`, `busy` while it is
    ///   being migrated or collected, `damaged` where it was not closed in order and its
    ///   database does not pass SQLite's check, `unsupportedFileSystem`.
    public static func open(at path: String, options: Options = Options()) throws -> PhotoLibrary {
        let root = try LibraryOpener.openFolder(at: path)
        return try PhotoLibrary(root: root, options: options, isNew: false)
    }

    /// Opens a library, or makes it where there is nothing yet. Several processes may do so at
    /// once.
    ///
    /// - Throws: `LibraryError`, as `open` and `create`; `notALibrary` where there is something
    ///   else.
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

    /// Opens a library that is known to be one, or that is being made.
    init(
        root: Folder, options: Options, isNew: Bool, schema: Schema = .current
    ) throws {
        self.root = root
        self.options = options
        path = root.path
        store = BlobStore(root: root)
        let opener = LibraryOpener(root: root, options: options, isNew: isNew, schema: schema)
        let reserve = SpaceReserve(root: root)
        if options.usesReserve, !options.isReadOnly { reserve.giveUpIfNeeded() }
        do {
            (pool, session) = try opener.open()
        } catch let error as LibraryError
            where error.code == .cannotWrite && options.usesReserve && reserve.giveUp()
        {
            // A quota may be used up where the disk is not.
            (pool, session) = try opener.open()
        }
    }

    deinit { try? close() }

    /// The library's paths, for messages.
    var layout: LibraryLayout { root.layout }

    /// Closes the database; the last to close it empties its log. The object must not be used
    /// for anything else afterwards. Letting go of the object closes it too. Observers are told of
    /// nothing new, and the sequences of ``changes()`` end.
    ///
    /// - Throws: `LibraryError` where SQLite could not close; nothing that was committed is lost.
    public func close() throws {
        observation.stop()
        defer { session?.end() }
        if let pool = pool as? DatabasePool { emptyLog(pool) }
        try translatingDatabaseErrors(path: path) { try pool.close() }
    }

    /// Moves what the log holds into the database, unless others are using it.
    private func emptyLog(_ pool: DatabasePool) {
        try? pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA busy_timeout = 0")
            try database.checkpoint(.truncate)
        }
    }

    /// The unique name of this library.
    public var identifier: String {
        get throws {
            try read { database in
                try database.value("SELECT uuid FROM library") ?? ""
            }
        }
    }

    /// Runs `body` in one reading transaction.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try translatingDatabaseErrors(path: path) { try pool.read(body) }
    }

    /// Whether the library is in an older format and is read from an up-to-date copy of its database.
    var isUpdatedCopy: Bool { (pool as? DatabaseQueue)?.path.isEmpty == true }

    /// The writer, or `readOnly`.
    func writer() throws -> (DatabasePool, StagingSession) {
        guard let pool = pool as? DatabasePool, let session else {
            throw LibraryError(
                .readOnly, "the library is open read-only", path: path)
        }
        return (pool, session)
    }
}

extension PhotoLibrary {
    /// How a library is opened.
    public struct Options: Sendable {
        /// Reading only: nothing is written, not even for a library that is on a read-only disk.
        public var isReadOnly = false
        /// How many seconds to wait for other processes' changes before `busy`.
        public var busyTimeout = 10.0
        /// Reading only: whether a library in an older format is read as it is. Not everything can be read then.
        package var takesOlderFormats = false
        /// Reading only: whether a library in an older format is read from an up-to-date copy of its database even if it
        /// could be updated in place. Changes made after the opening are not seen.
        package var copiesOlderFormats = false
        /// Whether a library that was not closed in order has its database checked at once.
        package var checksAfterUncleanClose = true
        /// Whether the space that the library keeps in reserve may be given up where the disk is
        /// full: for those who are about to free some, by deleting or pruning.
        package var usesReserve = false
        /// Asked once for every change block, before anything is written; what it throws stops
        /// the change and is thrown from `performChanges`. It runs on the caller's thread.
        public var authorization: (@Sendable (ChangeSummary) throws -> Void)?

        /// The usual options: reading and writing, no authorisation.
        public init() {}
    }
}
