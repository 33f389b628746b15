// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension PhotoLibrary {
    /// Checks the database, that every file it names is there with its size and mode, and that
    /// there are no others. Nothing is changed.
    ///
    /// A library whose database is damaged can be checked when it is opened with
    /// ``Options/checksAfterUncleanClose`` false.
    ///
    /// - Parameter percent: How many of the files, evenly chosen by their hash, to read and
    ///   hash as well, 0...100.
    /// - Throws: `LibraryError` where the check itself cannot be done.
    public func check(readingDataOf percent: Double = 0) throws -> CheckReport {
        var check = LibraryCheck(library: self, percent: percent)
        return try check.run()
    }
}
