// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import EditHostCommand

/// Text tables that are printed in parts.
@Suite("text tables")
struct TextTableTests {
    @Test("columns stay aligned over several parts, which have one header")
    func parts() {
        var table = TextTable(["id", "name"], rightColumns: [0])
        table.add(["1000", "a"])
        #expect(table.removeLines() == ["  ID  NAME", "1000  a"])
        table.add(["7", "b"])
        #expect(table.removeLines() == ["   7  b"])
        #expect(table.removeLines() == [])
        table.add(["10000", "c"])
        #expect(table.removeLines() == ["10000  c"])
    }
}
