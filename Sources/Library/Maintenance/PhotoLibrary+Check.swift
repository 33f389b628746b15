// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension PhotoLibrary {
    /// Checks the database, that every file it names is there with its size and mode, and that
    /// there are no others. Nothing is changed.
    ///
    /// A library whose database is damaged can be checked when it is opened with
    /// ``Options/checksAfterUncleanClose`` false.
    ///
    /// - Parameters:
    ///   - percent: How many of the files, evenly chosen by their hash, to read and hash as
    ///     well, 0...100.
    ///   - canRender: Whether these edits, in their order, can be run again: a rendition that can
    ///     be made again, and that nobody sees now, is no damage.
    /// - Throws: `LibraryError` where the check itself cannot be done.
    public func check(
        readingDataOf percent: Double = 0, canRender: @escaping ([Edit]) -> Bool = { _ in true }
    ) throws -> CheckReport {
        var check = LibraryCheck(library: self, percent: percent, canRender: canRender)
        return try check.run()
    }

    /// Repairs what a check has found, as far as this needs no pixels.
    ///
    /// Files that are missing come back from `trash/` or `quarantine/` where they lie there
    /// whole; damaged files that can be had again, and damaged originals, are set aside in
    /// `quarantine/`, where nobody touches them; modes are set; orphans go to the trash; leftovers
    /// are removed. An original is never changed. Renditions that are missing afterwards have
    /// to be rendered.
    ///
    /// - Returns: What was done about each of the report's findings, in their order.
    /// - Throws: `LibraryError`: `busy` while others change the library; `damaged` where its
    ///   database is: then nothing is done.
    public func repair(_ report: CheckReport) throws -> [RepairAction] {
        _ = try writer()
        guard !report.findings.contains(where: { $0.kind == .databaseDamaged }) else {
            throw LibraryError(
                .damaged, "the database is damaged, so nothing was repaired", path: path)
        }
        let lock = try LibraryLock(root, exclusively: true, waiting: 2)
        defer { withExtendedLifetime(lock) {} }
        do {
            return try LibraryRepair(library: self).run(report)
        } catch let error as SystemError {
            throw LibraryError.writing(path, error)
        }
    }
}
