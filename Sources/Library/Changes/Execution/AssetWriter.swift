// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// Creates assets, updates their metadata, moves them to the trash and removes them.
struct AssetWriter {
    let assets: AssetTable
    let resources: ResourceTable
    let keywords: KeywordTable
    let bursts: BurstRule
    let members: AlbumMemberTable

    private var context: ChangeContext { assets.context }

    // MARK: - Creating

    /// Inserts an asset, unless one with the same original exists. If that one is in the trash, it
    /// is restored.
    func insert(_ request: AssetCreationRequest) throws -> AssetCreationRequest.Result {
        let state = request.state.withLock { $0 }
        let identifier = request.placeholderForCreatedAsset.localIdentifier
        guard let primary = state.resources.first else {
            throw LibraryError(
                .invalidRequest, "an asset needs at least one resource",
                asset: identifier)
        }
        if let hash = primary.hash, let existing = try resources.original(with: hash) {
            let asset = existing.assetLocalIdentifier
            assets.setExistingAsset(asset, forPlaceholder: identifier)
            let isRestored = try restore(asset)
            try resources.relocate(existing, with: primary)
            if state.addsCompanionsToDuplicate {
                try resources.addCompanions(Array(state.resources.dropFirst()), to: asset)
            }
            return isRestored ? .restored(existing: asset) : .duplicate(existing: asset)
        }
        try Self.requireValid(state, asset: identifier)
        let id = try context.newIdentifier(.asset)
        try insertRow(id, request, state, facts: primary.facts, filename: primary.filename)
        // An import supplies facts, and picks from its bursts itself once at its end.
        if let burst = state.burstIdentifier, state.isToBeDecoded || state.chosen.contains(.burst) {
            bursts.join(burst)
        }
        for (index, resource) in state.resources.enumerated() {
            try resources.insert(resource, isPrimary: index == 0, asset: id)
        }
        try keywords.insert(state.keywords ?? [], asset: id)
        assets.ownGenerations.insert(identifier)
        assets.record(.inserted, id, identifier, isContent: true)
        assets.recordValue(.existence, of: id, from: .empty, to: .number(1))
        return .created
    }

    private func insertRow(
        _ id: Int64, _ request: AssetCreationRequest, _ state: AssetCreationRequest.State,
        facts: PhotoFacts?, filename: String
    ) throws {
        try assets.insert([
            "id": id, "uuid": request.placeholderForCreatedAsset.localIdentifier,
            "media_type": request.mediaType.rawValue,
            "media_subtypes": state.mediaSubtypes.rawValue,
            "source_type": AssetSourceType.userLibrary.rawValue,
            "pixel_width": facts?.pixelWidth ?? 0, "pixel_height": facts?.pixelHeight ?? 0,
            "original_pixel_width": facts?.pixelWidth ?? 0,
            "original_pixel_height": facts?.pixelHeight ?? 0,
            "creation_date": state.captureDate?.date.microseconds,
            "creation_offset": state.captureDate?.storedOffset,
            "file_date": state.fileDate?.microseconds,
            "added_date": context.date.microseconds,
            "modification_date": context.date.microseconds,
            "latitude": state.location?.latitude, "longitude": state.location?.longitude,
            "duration": state.duration, "original_duration": state.duration,
            "is_favorite": state.isFavorite,
            "is_hidden": state.isHidden, "burst_identifier": state.burstIdentifier,
            "represents_burst": try state.burstIdentifier.map(bursts.lacksRepresentative) ?? false,
            "burst_selection_types": 0,
            "camera_make": facts?.metadata?.cameraMake,
            "camera_model": facts?.metadata?.cameraModel,
            "lens_model": facts?.metadata?.lensModel,
            "exposure_time": facts?.metadata?.exposureTime,
            "rating": state.texts.rating, "title": state.texts.title,
            "description": state.texts.descriptionText, "label": state.texts.label,
            "creator": state.texts.creator, "copyright": state.texts.copyright,
            "content_identifier": facts?.metadata?.contentIdentifier,
            "original_filename": filename, "original_folder": state.originalFolder,
            "generation": 0,
        ])
    }

    // MARK: - Updating

    /// Writes the metadata set by a request, if any.
    func update(_ request: AssetChangeRequest) throws {
        let state = request.state.withLock { $0 }
        let id = try assets.row(
            of: request.assetIdentifier, mayBeTrashed: request.replacesRenditions)
        try state.texts.texts.requireValid(asset: request.assetIdentifier)
        let newDate = try state.captureDate ?? changedDate(ofAsset: id, state)
        try Self.requireValid(
            date: newDate ?? nil, location: state.location ?? nil,
            asset: request.assetIdentifier)
        try Self.requireValid(folder: state.originalFolder, asset: request.assetIdentifier)
        var values: [String: (any DatabaseValueConvertible)?] = [:]
        if let captureDate = newDate {
            values.updateValue(captureDate?.date.microseconds, forKey: "creation_date")
            values.updateValue(captureDate?.storedOffset, forKey: "creation_offset")
        }
        if let location = state.location {
            values.updateValue(location?.latitude, forKey: "latitude")
            values.updateValue(location?.longitude, forKey: "longitude")
        }
        values.merge(state.texts.columns) { $1 }
        if let folder = state.originalFolder { values["original_folder"] = folder }
        if let isFavorite = state.isFavorite { values["is_favorite"] = isFavorite }
        if let isHidden = state.isHidden { values["is_hidden"] = isHidden }
        try assets.update(id, values, of: request.assetIdentifier)
        try bursts.apply(state.burst, to: id)
        try keywords.apply(state.keywordChanges, to: id, request.assetIdentifier)
    }

    /// Returns the changed capture date of an asset; nil if it does not change.
    private func changedDate(
        ofAsset id: Int64, _ state: AssetChangeRequest.State
    ) throws -> CaptureDate?? {
        guard let change = state.captureDateChange else { return nil }
        let date = try context.database.record(
            "SELECT creation_date, creation_offset FROM asset WHERE id = ?", [id]
        ) { try $0.captureDate(0, offset: 1) }
        guard let date = date ?? nil else { return nil }
        return try change(date)
    }

    // MARK: - Trash

    /// Moves an asset to the trash. One that is there keeps its date.
    func trash(_ identifier: String) throws {
        let (id, isTrashed) = try assets.rowAndTrash(of: identifier)
        if isTrashed { return }
        try bursts.leave(asset: id)
        try members.recordChange(ofAlbumsWith: id)
        try assets.update(id, ["trashed_date": context.date.microseconds], of: identifier)
    }

    /// Restores an asset from the trash. Returns false if it is not there.
    @discardableResult
    func restore(_ identifier: String) throws -> Bool {
        let (id, isTrashed) = try assets.rowAndTrash(of: identifier)
        guard isTrashed else { return false }
        try bursts.rejoin(asset: id)
        try members.recordChange(ofAlbumsWith: id)
        try assets.update(id, ["trashed_date": Int64?.none], of: identifier)
        return true
    }

    /// Removes an asset and all dependent rows for good. Files are left to pruning.
    func remove(_ identifier: String) throws {
        let id = try assets.row(of: identifier, mayBeTrashed: true)
        try bursts.leave(asset: id)
        try members.recordChange(ofAlbumsWith: id)
        try assets.delete(id, identifier)
    }

    /// Removes an asset if it is in the trash.
    func removeFromTrash(_ identifier: String) throws {
        do {
            guard try assets.rowAndTrash(of: identifier).isTrashed else { return }
        } catch let error as LibraryError where error.code == .noSuchAsset {
            return
        }
        try remove(identifier)
    }

    // MARK: - Validation

    /// Throws `invalidRequest` if the metadata or duration of a new asset is invalid.
    private static func requireValid(
        _ state: AssetCreationRequest.State, asset identifier: String
    ) throws {
        try BurstRule.requireValid(burst: state.burstIdentifier, asset: identifier)
        try KeywordTable.requireValid(state.keywords ?? [], asset: identifier)
        try state.texts.requireValid(asset: identifier)
        try requireValid(date: state.captureDate, location: state.location, asset: identifier)
        try requireValid(folder: state.originalFolder, asset: identifier)
        let isLong = state.duration > 0 && state.mediaType != .image
        guard state.duration == 0 || isLong && state.duration.isFinite else {
            throw LibraryError(
                .invalidRequest,
                "an asset of type \(state.mediaType.name) cannot be \(state.duration) seconds long",
                asset: identifier)
        }
    }

    /// Throws `invalidRequest` if the path of a folder is not relative.
    private static func requireValid(folder: String?, asset identifier: String) throws {
        guard let folder, !StoredValueLimits.isFolder(folder) else { return }
        throw LibraryError(
            .invalidRequest,
            "invalid folder; its path must be relative, of at most \(StoredValueLimits.path) bytes, and without "
                + "components that are empty, . or ..", asset: identifier)
    }

    /// Throws `invalidRequest` if a date or location is out of range.
    private static func requireValid(
        date: CaptureDate?, location: Location?, asset identifier: String
    ) throws {
        if let date, !date.isWritable {
            throw LibraryError(
                .invalidRequest,
                "invalid date; the year must be from 1 to 9999 and the offset from UTC less "
                    + "than a day",
                asset: identifier)
        }
        // The initialiser validates a location, but decoding one does not.
        if let location,
            Location(latitude: location.latitude, longitude: location.longitude) == nil
        {
            throw LibraryError(
                .invalidRequest,
                "invalid location \(location.latitude), \(location.longitude); latitude must "
                    + "be from -90 to 90, longitude from -180 to 180, and not both 0",
                asset: identifier)
        }
    }
}

extension AssetCreationRequest.State {
    /// The subtypes found by decoding, plus `photoLive` for a photo with a paired video.
    fileprivate var mediaSubtypes: MediaSubtype {
        let subtypes = resources.first?.facts?.mediaSubtypes ?? []
        let isLive = resources.contains { $0.type == .pairedVideo }
        return isLive ? subtypes.union(.photoLive) : subtypes
    }
}
