// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput
import Library

/// The run of a command that edits photos, in one transaction or one by one.
struct EditingRun: Sendable {
    /// The photos to edit.
    enum Targets {
        case selected(AssetSelection)
        case identifiers([String])
    }

    let library: PhotoLibrary
    private let batch: BatchRun
    private let cancellation: EditCancellation
    private let isEach: Bool
    private let jobs: Int
    private var output: CommandOutput { batch.output }

    /// Opens the library. Nothing is committed while the user is being asked whether to discard the edits.
    ///
    /// - Parameters:
    ///   - isEach: `true` commits each photo separately and continues after failures.
    ///   - limits: The limits of rendering; `nil` for none.
    ///   - jobs: The number of photos to edit in parallel; `nil` for one per processor.
    init(
        _ general: GeneralOptions, _ libraryOptions: LibraryOptions, each isEach: Bool,
        limits: LimitOptions? = nil, jobs: Int? = nil
    ) throws {
        let cancellation = EditCancellation()
        let batch = BatchRun(
            general, "editing", kept: isEach ? "edited" : nil, cancelling: cancellation,
            limits: limits)
        library = try libraryOptions.open(for: .changing) { _ in
            try batch.interruption.allowCommit()
        }
        (self.batch, self.cancellation, self.isEach) = (batch, cancellation, isEach)
        self.jobs = JobsOption.jobs(jobs, for: .max)
    }

    /// Applies the edits of a source.
    ///
    /// - Parameter idleMessage: The message if nothing was changed.
    func apply(
        _ source: EditSource, _ options: EditCopyOptions = EditCopyOptions(), to targets: Targets,
        idleMessage: String? = nil
    ) async throws {
        try await run(on: targets, idleMessage: idleMessage) { host, identifiers in
            try await host.applyEdits(
                of: source, to: identifiers, options, in: library, cancellation: cancellation,
                prepared: { output.progress.advance(past: $0) }, outcome: output.line(of:))
        } each: { host, identifiers, report in
            try await host.applyEditsToEach(
                of: source, to: identifiers, options, in: library, cancellation: cancellation,
                report: report)
        }
    }

    /// Edits with one extension.
    func edit(_ targets: Targets, _ request: EditRequest) async throws {
        try await run(on: targets, request) { host, identifiers in
            await warn(identifiers, host)
            return try await host.edit(
                identifiers, request, in: library, cancellation: cancellation,
                progressHandler: show, finished: { output.progress.advance(past: $0) },
                outcome: output.line(of:))
        } each: { host, identifiers, report in
            await warn(identifiers, host)
            try await host.editEach(
                identifiers, request, in: library, cancellation: cancellation,
                progressHandler: show, report: report)
        }
    }

    /// Warns in advance about content that edited videos lose.
    private func warn(_ identifiers: [String], _ host: ExtensionHost) async {
        for identifier in identifiers {
            guard let losses = try? await host.losses(byEditing: identifier, in: library) else {
                continue
            }
            output.message("\(ShortIdentifier.of(identifier)): \(losses)")
        }
    }

    /// Shows the progress that an extension reports.
    private func show(_ identifier: String, _ progress: EditProgress) {
        // Progress output would overwrite the question to the user.
        if batch.interruption.isQuiet { output.progress.report(progress, of: identifier) }
    }

    private typealias Report = (String, Result<EditResult, any Error>) async throws -> Void

    private func run(
        on targets: Targets, _ request: EditRequest? = nil, idleMessage: String? = nil,
        allOrNone: @escaping @Sendable (ExtensionHost, [String]) async throws -> [OutcomeLine],
        each: @escaping @Sendable (ExtensionHost, [String], Report) async throws -> Void
    ) async throws {
        let identifiers = isEach ? nil : try await self.identifiers(of: targets, nil)
        try await batch.run(on: identifiers?.count, jobs: jobs) { host in
            let name = try extensionIdentifier(of: request, host)
            if let identifiers {
                return try await commit(identifiers, name) {
                    try await allOrNone(host, identifiers)
                }
            }
            let known = try await self.identifiers(of: targets, name)
            output.progress.setTotal(known.count + batch.failureCount)
            try await each(host, known) { identifier, result in
                switch result {
                case .success(let result):
                    batch.finish(identifier, isKept: result.hasChanged)
                    try output.print(output.line(of: result))
                case .failure(let error): try fail(identifier, error, name)
                }
            }
        }
        if batch.isEmpty {
            output.message("nothing to do")
        } else if let idleMessage, batch.keptCount == 0, batch.failureCount == 0 {
            output.message(idleMessage)
        }
        try batch.end()
    }

    /// Edits photos in one transaction. A failure is reported for each of them.
    private func commit(
        _ identifiers: [String], _ extensionIdentifier: String?,
        _ work: () async throws -> [OutcomeLine]
    ) async throws {
        do {
            let outcomes = try await work()
            output.progress.end()
            for outcome in outcomes {
                batch.finish(outcome.assetIdentifier, isKept: outcome.hasChanged)
                try output.print(outcome)
            }
        } catch {
            guard let culprit = Self.asset(in: error), identifiers.contains(culprit),
                ExitStatus(error) != .interrupted
            else { throw error }
            for identifier in identifiers {
                let reason =
                    identifier == culprit
                    ? ExitStatus.words(for: error)
                    : "nothing was committed, because asset \(culprit) failed; leave it out, or "
                        + "use --keep-going"
                let code = identifier == culprit ? ExitStatus.code(for: error) : "notCommitted"
                try output.printJSON(
                    Self.row(identifier, extensionIdentifier, failure: reason)
                        .adding(["errorCode": code]))
            }
            output.failure(error, of: culprit)
            if identifiers.count > 1, !output.isJSON { output.message("nothing was committed") }
            throw CommandEnd(status: ExitStatus(error))
        }
    }

    /// Returns the photos. If each is edited separately, invalid names are failures.
    private func identifiers(
        of targets: Targets, _ extensionIdentifier: String?
    ) async throws -> [String] {
        switch targets {
        case .identifiers(let identifiers): identifiers
        case .selected(let assets) where isEach:
            try await assets.identifiers(in: library) { try fail($0, $1, extensionIdentifier) }
        case .selected(let assets): try await assets.identifiers(in: library)
        }
    }

    /// Returns the extension of a request. Errors in the extension and the parameters affect all photos, so
    /// they are reported once.
    private func extensionIdentifier(
        of request: EditRequest?, _ host: ExtensionHost
    ) throws -> String? {
        guard let request else { return nil }
        let installed = try host.extensions.catalogue.installed(named: request.extensionName)
        _ = try installed.manifest?.values(for: request)
        return installed.identifier
    }

    private func fail(
        _ name: String, _ error: any Error, _ extensionIdentifier: String?
    ) throws {
        try batch.fail(
            name, error,
            Self.row(
                Self.asset(in: error) ?? name, extensionIdentifier,
                failure: ExitStatus.words(for: error)))
    }

    private static func row(
        _ identifier: String, _ extensionIdentifier: String?, failure: String
    ) -> JSONRow {
        JSONRow(
            editsOf: identifier, history: nil, status: "failed", extension: extensionIdentifier,
            error: failure)
    }

    private static func asset(in error: any Error) -> String? {
        (error as? HostError)?.assetIdentifier ?? (error as? LibraryError)?.assetIdentifier
    }
}
