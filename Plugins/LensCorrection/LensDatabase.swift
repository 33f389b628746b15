// SPDX-License-Identifier: Apache-2.0

import CLensfun
import EditingExtensionAPI

/// The data of lensfun on this system.
final class LensDatabase {
    private let database: UnsafeMutablePointer<lfDatabase>

    /// Reads the data, which takes some 40 ms.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` if there are none.
    init() throws(EditingExtensionError) {
        guard let database = lf_db_new() else { throw EditingExtensionError.outOfMemory }
        guard lf_db_load(database) == LF_NO_ERROR else {
            lf_db_destroy(database)
            throw EditingExtensionError(
                code: .unsupported,
                message: "lensfun's data are missing; install Debian's liblensfun-data-v1")
        }
        self.database = database
    }

    deinit { lf_db_destroy(database) }

    /// Returns the entry for a lens, and logs which it is.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` if the lens or the camera is unknown, or if several lenses
    ///   match equally well.
    func find(_ query: LensQuery) throws(EditingExtensionError) -> FoundLens {
        let camera = findCamera(query)
        guard
            let cropFactor = camera.map({ Double($0.pointee.CropFactor) })
                ?? query.impliedCropFactor
        else { throw unknown(query, "camera") }
        let entries = findLenses(query, for: camera).map { LensEntry($0, query) }
            .filter { $0.covers(cropFactor) }
        guard let best = entries.first else { throw unknown(query, "lens") }
        let others = entries.filter { $0.score == best.score && $0.name != best.name }
        guard others.isEmpty else {
            throw EditingExtensionError(
                code: .unsupported,
                message: "several lenses match: the photo has \(query.summary); set lens to one of "
                    + Set(([best] + others).map(\.name)).sorted().joined(separator: ", "))
        }
        // Entries of one lens were calibrated with different cameras.
        let same = entries.filter { $0.name == best.name }
        let entry = same.reduce(best) { $0.calibrationCount < $1.calibrationCount ? $1 : $0 }
        EditingExtension.log(
            "uses the data of \(entry.name), calibrated with a crop factor of "
                + "\(entry.lens.pointee.CropFactor); entries for it: \(same.count)")
        let name =
            camera.map {
                "\(String(lensfun: $0.pointee.Maker)) \(String(lensfun: $0.pointee.Model))"
            } ?? ""
        return try entry.interpolated(camera: name, cropFactor: cropFactor)
    }

    private func unknown(_ query: LensQuery, _ parameter: String) -> EditingExtensionError {
        EditingExtensionError(
            code: .unsupported,
            message: "lensfun's data lack this \(parameter): the photo has \(query.summary); "
                + "set \(parameter) to a name in lensfun's list")
    }

    private func findCamera(_ query: LensQuery) -> UnsafePointer<lfCamera>? {
        guard let model = query.model else { return nil }
        let cameras = lf_db_find_cameras_ext(database, query.make, model, 0)
        defer { lf_free(cameras) }
        return cameras?.pointee
    }

    /// The lenses that match, the best one first.
    private func findLenses(
        _ query: LensQuery, for camera: UnsafePointer<lfCamera>?
    ) -> [UnsafePointer<lfLens>] {
        // The mount of a camera with a fixed lens begins with a lower-case letter, and has one lens.
        let mount = camera?.pointee.Mount.map { String(cString: $0) } ?? ""
        let isFixed = mount.first?.isLowercase ?? false
        guard query.lens != nil || isFixed else { return [] }
        let found = lenses(named: query.lens, for: camera)
        if !found.isEmpty { return found }
        // The name in the metadata may differ from that of a fixed lens, and a chosen lens may be adapted.
        if isFixed && !query.isLensChosen { return lenses(named: nil, for: camera) }
        return query.isLensChosen || camera == nil ? lenses(named: query.lens, for: nil) : []
    }

    private func lenses(
        named name: String?, for camera: UnsafePointer<lfCamera>?
    ) -> [UnsafePointer<lfLens>] {
        guard let list = lf_db_find_lenses_hd(database, camera, nil, name, 0) else { return [] }
        defer { lf_free(list) }
        var result: [UnsafePointer<lfLens>] = []
        var next = list
        while let lens = next.pointee {
            result.append(lens)
            next += 1
        }
        return result
    }
}
