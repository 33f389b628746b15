// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetChangeRequest {
    /// Changes the capture date that the asset has when the change is made, which another process
    /// may have set in the meantime. An asset without a date stays as it is, and a date set in the
    /// same request takes precedence.
    ///
    /// - Parameter change: Returns the new date. It is called inside the transaction, and
    ///   `performChanges` throws its errors.
    package func changeCaptureDate(
        _ change: @escaping @Sendable (CaptureDate) throws -> CaptureDate
    ) {
        set { $0.captureDateChange = change }
    }
}
