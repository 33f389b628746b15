// SPDX-License-Identifier: Apache-2.0

extension Double {
    /// The shortest text of the number, as users write it: whole numbers have no fraction.
    package var shortText: String {
        self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)"
    }
}
