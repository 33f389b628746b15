// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Synchronization

/// Counts and prints the import results.
final class ImportTally: Sendable {
    private struct Counts {
        var byStatus: [ImportResult.Status: Int] = [:]
        var failures: [any Error] = []
        var isCutShort = false
        var all: Int { byStatus.values.reduce(0, +) }
    }

    private let counts = Mutex(Counts())
    private let output: CommandOutput

    init(output: CommandOutput) { self.output = output }

    func add(_ result: ImportResult) throws {
        // A file whose runner was stopped by cancellation is not rejected.
        if result.status == .rejected, Task.isCancelled {
            return counts.withLock { $0.isCutShort = true }
        }
        counts.withLock { counts in
            counts.byStatus[result.status, default: 0] += 1
            if result.status == .rejected { counts.failures.append(Self.rejection(result)) }
        }
        try print(result)
        for warning in result.warnings { output.message("\(result.path): \(warning)") }
        output.progress.advance()
    }

    private func print(_ result: ImportResult) throws {
        try output.printJSON([
            "id": result.assetIdentifier, "path": result.path,
            "pathBytes": result.path.undecodedBytes, "status": result.status.rawValue,
            "error": result.error.map(ExitStatus.words), "resource": result.resourceType?.name,
        ])
        switch result.status {
        case .imported, .duplicate, .updated:
            let identifier = result.assetIdentifier.map(ShortIdentifier.of) ?? ""
            let type = result.resourceType.map { $0 == .photo ? "" : "  (\($0.name))" } ?? ""
            try output.printText([
                "\(result.status.padded)  \(identifier)  \(result.path)\(type)"
            ])
        case .skipped:
            let reason = result.error.map { ": \($0)" } ?? ""
            try output.printText(["\(result.status.padded)            \(result.path)\(reason)"])
        case .rejected:
            if let error = result.error { output.failure(error, of: result.path) }
        }
    }

    /// Returns the error of a rejected file. Anything other than a missing file counts as bad input.
    private static func rejection(_ result: ImportResult) -> any Error {
        let isMissing = (result.error as? HostError)?.code == .noSuchFile
        return CommandEnd(status: isMissing ? .notFound : .badData)
    }

    /// The error after cancellation by the user.
    var cancelled: CommandEnd {
        let imported = counts.withLock { $0.byStatus[.imported, default: 0] }
        return .cancelled(imported, "imported", output.progress)
    }

    func end() throws {
        let counts = counts.withLock { $0 }
        if counts.isCutShort { throw cancelled }
        let parts = ImportResult.Status.all.compactMap { status in
            counts.byStatus[status].map { "\($0) \(status.rawValue)" }
        }
        try output.printText([parts.isEmpty ? "no files found" : parts.joined(separator: ", ")])
        let status = ExitStatus(failures: counts.failures, of: counts.all)
        if status != .done { throw CommandEnd(status: status) }
    }
}

extension ImportResult.Status {
    fileprivate static let all: [Self] = [.imported, .updated, .duplicate, .skipped, .rejected]

    fileprivate var padded: String {
        rawValue.padding(toLength: "duplicate".count, withPad: " ", startingAt: 0)
    }
}
