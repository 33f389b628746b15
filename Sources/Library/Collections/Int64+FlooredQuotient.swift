// SPDX-License-Identifier: Apache-2.0

extension Int64 {
    /// Returns the quotient rounded toward negative infinity.
    func flooredQuotient(_ divisor: Int64) -> Int64 {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }
}
