// SPDX-License-Identifier: Apache-2.0

/// One change recorded by a change block.
protocol ChangeRequest: Sendable {
    /// Adds the identifiers of the affected objects to `summary`.
    func describe(in summary: inout ChangeSummary)
    /// The staged bytes that must be durable before the transaction begins.
    var stagedBlobs: [StagedBlob] { get }
    /// Validates the request against the library before files are published. Changes nothing.
    func check(with executor: ChangeExecutor) throws
    /// Performs the change inside the transaction.
    func apply(with executor: ChangeExecutor) throws
    /// Called after the transaction has committed.
    func didCommit(in library: PhotoLibrary)
}

extension ChangeRequest {
    var stagedBlobs: [StagedBlob] { [] }
    func check(with executor: ChangeExecutor) throws {}
    func didCommit(in library: PhotoLibrary) {}
}
