// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import JSONOutput
import Synchronization

/// Counts and prints the import results.
final class ImportTally: Sendable {
    private let counts = Mutex<[ImportResult.Status: Int]>([:])
    private let batch: BatchRun
    private var output: CommandOutput { batch.output }

    init(_ batch: BatchRun) { self.batch = batch }

    func add(_ result: ImportResult) throws {
        if result.status == .rejected, let error = result.error {
            let hasFailed = try batch.fail(
                result.path, error, counted: Self.rejection(error), Self.row(result))
            guard hasFailed else { return }
        } else {
            let row = Self.row(result)
            let code = result.status == .rejectedBefore ? result.error.map(ExitStatus.code) : nil
            try output.printJSON(code.map { row.adding(["errorCode": $0]) } ?? row)
            try output.printText([Self.line(result)])
            batch.finish(result.path, isKept: [.imported, .restored].contains(result.status))
        }
        counts.withLock { $0[result.status, default: 0] += 1 }
        for kept in result.kept { output.message("\(result.path): \(kept.message)") }
        for warning in result.warnings { output.message("\(result.path): \(warning)") }
    }

    private static func row(_ result: ImportResult) -> JSONRow {
        [
            "id": result.assetIdentifier, "path": result.path,
            "pathBytes": result.path.undecodedBytes, "status": result.status.rawValue,
            "error": result.error.map(ExitStatus.words), "resource": result.resourceType?.name,
            "kept": result.kept.map(kept),
        ]
    }

    private static func kept(_ value: KeptMetadataValue) -> JSONRow {
        [
            "field": value.field.rawValue, "library": value.value, "stated": value.stated,
            "source": value.isInSidecar ? "sidecar" : "file",
        ]
    }

    private static func line(_ result: ImportResult) -> String {
        guard let asset = result.assetIdentifier else {
            let reason = result.error.map { ": \($0)" } ?? ""
            let column = result.status.words.padding(toLength: 21, withPad: " ", startingAt: 0)
            return "\(column)\(result.path)\(reason)"
        }
        let type = result.resourceType.map { $0 == .photo ? "" : "  (\($0.name))" } ?? ""
        return "\(result.status.padded)  \(ShortIdentifier.of(asset))  \(result.path)\(type)"
    }

    /// Returns the error of a rejected file. Anything other than a missing file counts as bad input.
    private static func rejection(_ error: any Error) -> any Error {
        let isMissing = (error as? HostError)?.code == .noSuchFile
        return CommandEnd(status: isMissing ? .notFound : .badData)
    }

    func end() throws {
        let counts = counts.withLock { $0 }
        let parts = ImportResult.Status.all.compactMap { status in
            counts[status].map { count in
                // The other statuses are participles.
                status == .duplicate
                    ? count.counted(status.words) : "\(count) \(status.words)"
            }
        }
        try output.printText([parts.isEmpty ? "no files found" : parts.joined(separator: ", ")])
        if let count = counts[.rejectedBefore] {
            output.message(
                "\(count.counted("file")) \(count == 1 ? "was" : "were") rejected before and not "
                    + "read again; import --show-rejected lists all, --again tries them again")
        }
        try batch.end()
    }
}

extension ImportResult.Status {
    fileprivate static let all: [Self] = [
        .imported, .restored, .updated, .duplicate, .skipped, .rejected, .rejectedBefore,
    ]

    fileprivate var words: String { self == .rejectedBefore ? "rejected before" : rawValue }

    fileprivate var padded: String {
        words.padding(toLength: "duplicate".count, withPad: " ", startingAt: 0)
    }
}
