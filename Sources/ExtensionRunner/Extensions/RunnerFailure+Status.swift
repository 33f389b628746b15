// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import RunnerProtocol

extension RunnerFailure {
    /// Creates the failure for a status other than `EE_OK`.
    init(_ status: ee_status, _ error: ee_error?, _ call: String, _ identifier: String) {
        let words = error.map { String($0) } ?? ""
        let code: Code
        let meaning: String
        switch Int(status) {
        case Int(EE_BAD_PARAMETER): (code, meaning) = (.badParameter, "a parameter is unusable")
        case Int(EE_BAD_ADJUSTMENT): (code, meaning) = (.cannotHandle, "the recipe is unreadable")
        case Int(EE_UNSUPPORTED): (code, meaning) = (.extensionFailed, "it cannot do this")
        case Int(EE_CANCELLED):
            (code, meaning) = (.extensionFailed, "it stopped without being cancelled")
        case Int(EE_FAILED):
            (code, meaning) = (
                .extensionFailed,
                "\(call) failed without a message; write the reason to the error's message"
            )
        default: (code, meaning) = (.extensionFailed, "\(call) returned the status \(status)")
        }
        self.init(
            code: code, message: words.isEmpty ? meaning : abbreviated(words),
            extensionIdentifier: identifier)
    }
}
