// SPDX-License-Identifier: Apache-2.0

extension Result where Failure == any Error {
    /// Returns the outcome of an asynchronous body.
    static func capturing(_ body: () async throws -> Success) async -> Self {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
