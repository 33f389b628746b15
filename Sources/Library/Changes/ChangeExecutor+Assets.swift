// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

extension ChangeExecutor {
    /// Inserts an asset, or gives the identifier of the one that has the same original.
    func insertAsset(_ request: AssetCreationRequest) throws -> String? {
        let state = request.state.withLock { $0 }
        let identifier = request.placeholderForCreatedAsset.localIdentifier
        guard let primary = state.resources.first else {
            throw LibraryError(
                .invalidRequest, "an asset needs at least one resource",
                assetIdentifier: identifier)
        }
        if let hash = primary.hash, let existing = try asset(withOriginal: hash) {
            standIns[identifier] = existing.assetLocalIdentifier
            try heal(existing, with: primary)
            try addCompanions(
                Array(state.resources.dropFirst()), to: existing.assetLocalIdentifier)
            return existing.assetLocalIdentifier
        }
        try requireValid(state, asset: identifier)
        let id = try newIdentifier(.asset)
        try insertRow(id, request, state, facts: primary.facts, filename: primary.filename)
        for (index, resource) in state.resources.enumerated() {
            try insert(resource, isPrimary: index == 0, asset: id)
        }
        try insertKeywords(state.keywords ?? [], asset: id)
        ownGenerations.insert(identifier)
        record(.inserted, asset: id, identifier, isContent: true)
        return nil
    }

    private func insertRow(
        _ id: Int64, _ request: AssetCreationRequest, _ state: AssetCreationRequest.State,
        facts: PhotoFacts?, filename: String
    ) throws {
        let values: [String: (any DatabaseValueConvertible)?] = [
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
            "added_date": date.microseconds, "modification_date": date.microseconds,
            "latitude": state.location?.latitude, "longitude": state.location?.longitude,
            "duration": state.duration, "is_favorite": state.isFavorite,
            "is_hidden": state.isHidden, "burst_identifier": state.burstIdentifier,
            "represents_burst": try state.burstIdentifier.map(lacksRepresentative) ?? false,
            "burst_selection_types": 0,
            "camera_make": facts?.metadata?.cameraMake,
            "camera_model": facts?.metadata?.cameraModel,
            "lens_model": facts?.metadata?.lensModel, "rating": facts?.metadata?.rating,
            "content_identifier": facts?.metadata?.contentIdentifier,
            "original_filename": filename, "generation": 0,
        ]
        let names = values.keys.sorted()
        try execute(
            """
            INSERT INTO asset (\(names.joined(separator: ", ")))
            VALUES (\(names.map { ":" + $0 }.joined(separator: ", ")))
            """,
            StatementArguments(values))
    }

    /// Writes the metadata that a request sets, if it sets any.
    func updateMetadata(_ request: AssetChangeRequest) throws {
        let state = request.state.withLock { $0 }
        let id = try rowIdentifier(ofAsset: request.assetIdentifier)
        try Self.requireValid(
            date: state.captureDate ?? nil, location: state.location ?? nil,
            asset: request.assetIdentifier)
        var values: [String: (any DatabaseValueConvertible)?] = [:]
        if let captureDate = state.captureDate {
            values.updateValue(captureDate?.date.microseconds, forKey: "creation_date")
            values.updateValue(captureDate?.storedOffset, forKey: "creation_offset")
        }
        if let location = state.location {
            values.updateValue(location?.latitude, forKey: "latitude")
            values.updateValue(location?.longitude, forKey: "longitude")
        }
        if let isFavorite = state.isFavorite { values["is_favorite"] = isFavorite }
        if let isHidden = state.isHidden { values["is_hidden"] = isHidden }
        try update(id, values, of: request.assetIdentifier)
        try updateBurst(request, asset: id)
        try updateKeywords(request, asset: id)
    }

    /// Sets columns of an asset, and its modification date, where a value differs.
    func update(
        _ id: Int64, _ values: [String: (any DatabaseValueConvertible)?], of identifier: String
    ) throws {
        if values.isEmpty { return }
        let names = values.keys.sorted()
        let differs = names.map { "\($0) IS NOT :\($0)" }.joined(separator: " OR ")
        var arguments = values
        arguments["id"] = id
        arguments["date"] = date.microseconds
        let isChanged = try changesOneRow(
            """
            UPDATE asset SET \(names.map { "\($0) = :\($0)" }.joined(separator: ", ")),
                modification_date = max(:date, modification_date + 1)
            WHERE id = :id AND (\(differs))
            """,
            StatementArguments(arguments))
        if isChanged { record(.updated, asset: id, identifier, isContent: false) }
    }

    /// Deletes an asset with everything that hangs on it, but no file.
    func deleteAsset(_ identifier: String) throws {
        let id = try rowIdentifier(ofAsset: identifier)
        try leaveBurst(asset: id)
        try recordLeaving(id)
        try database.execute(sql: "DELETE FROM asset WHERE id = ?", arguments: [id])
        record(.removed, asset: id, identifier, isContent: true)
    }

    /// Remembers that an asset changed.
    func record(
        _ kind: PersistentChange.Kind, asset id: Int64, _ identifier: String, isContent: Bool
    ) {
        record(
            kind, ObjectKey(type: .asset, id: id), identifier, isContent: isContent,
            isMetadata: !isContent)
    }
}
