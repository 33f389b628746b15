// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Logging
import RunnerHost

extension WorkRenderer {
    /// Returns a host for a plan. It neither reads nor writes the lists of the user, and finds no extensions.
    ///
    /// - Parameter configuration: The programs and limits of the node.
    /// - Throws: `HostError` with `badInput` if the plan has invalid budgets.
    static func host(
        for plan: WorkPlan, _ configuration: HostConfiguration, _ logger: Logger
    ) throws -> ExtensionHost {
        var configuration = configuration
        configuration.extensionFolders = []
        configuration.shippedTrustFile = nil
        configuration.configurationFolder = nil
        configuration.checksReproducibility = false
        configuration.budgets = try plan.budgets.budgets
        return ExtensionHost(configuration, logger: logger)
    }

    /// Reads the extensions that jobs use from the folder of the plan, with the trust that the plan gives them. The
    /// bytes that are hashed here are those that runners load.
    ///
    /// - Throws: `HostError` with `badInput` if an extension is not the planned one; `fileFailed` if it cannot be read.
    static func binaries(
        for jobs: [WorkJob], of plan: WorkPlan, in folder: WorkFolder, _ store: ExtensionStore
    ) throws -> [WorkHash: ExtensionBinary] {
        var binaries: [WorkHash: ExtensionBinary] = [:]
        for digest in Set(jobs.flatMap { $0.steps.map(\.extension) }) {
            guard let planned = plan.editingExtension(digest) else {
                throw HostError(.badInput, "the plan does not have the extension \(digest)")
            }
            try trust(planned, store.trust)
            let path = "\(folder.path)/\(WorkName.extensions)/\(digest)/\(planned.name)"
            let binary: ExtensionBinary
            do {
                binary = try store.read(ExtensionCatalogue.examine(path))
            } catch {
                if let failure = readingFailure(in: error) { throw failure }
                throw HostError(
                    .badInput, "the extension in \(path) cannot be used: \(error)",
                    extension: planned.identifier, underlying: error)
            }
            guard binary.digest == digest.digest, binary.manifest.identifier == planned.identifier
            else {
                throw HostError(
                    .badInput,
                    "the extension in \(path) is not the planned one: its digest differs",
                    extension: planned.identifier)
            }
            binaries[digest] = binary
        }
        return binaries
    }

    /// Returns the cause of an error if this node could not read a file. Such an error does not mean that the content
    /// of the file is wrong.
    private static func readingFailure(in error: any Error) -> HostError? {
        guard let error = error as? HostError else { return nil }
        guard error.code == .fileFailed else { return error.underlying.flatMap(readingFailure) }
        let isMisplaced = (error.underlying as? SystemError)?.misplaced != nil
        return isMisplaced ? nil : error
    }

    /// Trusts an extension as long as the host exists.
    private static func trust(_ planned: WorkExtension, _ trust: ExtensionTrust) throws {
        let digest = planned.digest.digest
        if planned.trusted {
            try trust.trust(digest, of: planned.identifier)
        } else if planned.readsOriginal {
            try trust.allowOriginals(to: digest, of: planned.identifier)
        }
    }
}
