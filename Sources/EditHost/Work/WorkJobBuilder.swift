// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library

/// Describes the rendering of an asset as a job.
struct WorkJobBuilder {
    private let library: PhotoLibrary
    private var inputs: [WorkJob.Input] = []
    private var steps: [WorkJob.Step] = []
    private var outputs: [WorkJob.Output] = []

    private init(_ library: PhotoLibrary) { self.library = library }

    /// Returns the job that renders an asset, with the number 0 and no cost.
    ///
    /// - Parameter renditions: The stale renditions of the asset, or the first of them.
    /// - Throws: `LibraryError` if a file is missing; `HostError` with `cannotRender` if the job is too large for a
    ///   plan.
    static func job(
        of asset: StaleAsset, _ renditions: [StaleRendition], in library: PhotoLibrary
    ) throws -> WorkJob {
        var builder = WorkJobBuilder(library)
        for rendition in renditions { try builder.add(rendition) }
        let identifier = asset.history.asset.localIdentifier
        let job = WorkJob(
            job: 0, asset: identifier, cost: 0, inputs: builder.inputs, steps: builder.steps,
            outputs: builder.outputs)
        guard job.isSound else {
            throw HostError(
                .cannotRender, "its edits cannot be written into a plan; use edithost rerender",
                asset: identifier)
        }
        return job
    }

    private mutating func add(_ rendition: StaleRendition) throws {
        let plan = rendition.plan
        let original = try addOriginal(of: plan)
        var from = WorkJob.Output.Source()
        if let lower = rendition.lower {
            from.output = lower
        } else {
            from.input = plan.base == plan.original ? original : try addBase(of: plan)
        }
        var output = WorkJob.Output(
            edit: rendition.edit.identifier, kind: rendition.kind,
            part: rendition.settings.video == nil ? .photo : .video, original: original,
            from: from, steps: try addSteps(of: rendition), settings: rendition.settings,
            pixelsInPlace: plan.basePixelsAreInPlace)
        output.stillWidth = plan.stillWidth
        if rendition.lower == nil { output.key = WorkHash(rendition.key) }
        outputs.append(output)
    }

    // MARK: - Inputs

    private mutating func addOriginal(of plan: StatePlan) throws -> Int {
        let resource = plan.originalResource
        var isUnavailable = false
        if plan.base != plan.original {
            do {
                _ = try library.openOriginal(resource.file, for: .preview)
            } catch let error as LibraryError where error.isAboutReference {
                isUnavailable = true
            }
        }
        return try add(resource, plan.factsForExtensions, plan.original, isUnavailable)
    }

    private mutating func add(
        _ resource: AssetResource, _ facts: PhotoFacts?, _ hash: SHA256Digest,
        _ isUnavailable: Bool
    ) throws -> Int {
        let role: WorkJob.Input.Role = resource.type == .pairedVideo ? .pairedVideo : .original
        if let known = inputs.firstIndex(where: { $0.role == role && $0.sha256.digest == hash }) {
            return known
        }
        var input = WorkJob.Input(role: role, sha256: WorkHash(hash), size: 0)
        if case .inFile(let file, let range) = resource.embedding, let outer = file.contentHash {
            var facts = file.facts
            facts?.metadata = file.facts?.metadata?.ofCamera
            let index = try add(file, facts, outer, isUnavailable)
            input.container = .init(input: index, offset: range.lowerBound)
            input.size = range.count
        } else {
            input.path = resource.referencedPath
            input.size = try size(of: resource, isUnavailable)
        }
        input.format = resource.format
        input.facts = facts
        input.filename = resource.originalFilename
        if isUnavailable { input.isUnavailable = true }
        inputs.append(input)
        return inputs.count - 1
    }

    private func size(of resource: AssetResource, _ isUnavailable: Bool) throws -> Int {
        if let size = resource.size { return size }
        if isUnavailable { return 0 }
        return try library.openOriginal(resource, for: .preview).byteCount()
    }

    private mutating func addBase(of plan: StatePlan) throws -> Int {
        let file = try library.openBlob(
            plan.base, ofAsset: plan.assetIdentifier, for: .preview)
        var input = WorkJob.Input(
            role: .base, sha256: WorkHash(plan.base), size: try file.byteCount())
        input.format = plan.baseFormat
        return add(input)
    }

    private mutating func add(_ input: WorkJob.Input) -> Int {
        if let known = inputs.firstIndex(of: input) { return known }
        inputs.append(input)
        return inputs.count - 1
    }

    // MARK: - Steps

    private mutating func addSteps(of rendition: StaleRendition) throws -> [Int] {
        try zip(rendition.stepEdits, rendition.plan.steps).map { edit, step in
            if let known = steps.firstIndex(where: { $0.edit == edit.identifier }) { return known }
            let data = step.adjustmentData
            steps.append(
                WorkJob.Step(
                    edit: edit.identifier, extension: WorkHash(step.binary.digest),
                    format: [data.formatIdentifier, data.formatVersion], recipe: data.data,
                    files: try step.files.map {
                        try addFile($0.description, ofAsset: rendition.plan.assetIdentifier)
                    }))
            return steps.count - 1
        }
    }

    private mutating func addFile(_ file: EditFile, ofAsset asset: String) throws -> Int {
        _ = try library.openBlob(file.hash, ofAsset: asset, for: .preview)
        var input = WorkJob.Input(role: .parameter, sha256: WorkHash(file.hash), size: file.size)
        input.parameter = file.parameter
        input.filename = file.filename
        return add(input)
    }
}
