// SPDX-License-Identifier: Apache-2.0

import Library
import TestSupport
import Testing

/// Claims on assets that are being rendered.
@Suite("asset claims")
struct AssetClaimsTests {
    @Test("a claimed asset cannot be claimed again, in the same process or another")
    func claimedTwice() throws {
        let temporary = try TemporaryLibrary()
        let (claims, others) = (
            try AssetClaims(temporary.library), try AssetClaims(temporary.library)
        )
        var first = claims.take("0123456789abcdef")
        #expect(first != nil)
        #expect(claims.take("0123456789abcdef") == nil)
        #expect(others.take("0123456789abcdef") == nil)
        #expect(claims.take("f123456789abcdef") != nil)
        first = nil
        #expect(others.take("0123456789abcdef") != nil)
        #expect(claims.take("0123456789abcdef") != nil)
    }
}
