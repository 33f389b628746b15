// SPDX-License-Identifier: Apache-2.0

import CEditingExtensionTesting

/// A failed call of the extension, or a picture that differs from the expected one.
public struct ExtensionTestError: Error, CustomStringConvertible {
    /// A description of the failure, with the message of the extension if there is one.
    public let description: String

    /// The failure of the last call of the test host in C.
    static var last: ExtensionTestError {
        ExtensionTestError(description: String(cString: ee_test_message()))
    }
}
