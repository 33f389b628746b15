// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RunnerHost

@Suite("the output of a runner")
struct RunnerLogTests {
    @Test("it is split into lines, wherever the parts end")
    func lines() {
        var log = RunnerLog()
        #expect(log.append(Data("one\ntw".utf8)) == ["one"])
        let count = log.byteCount
        #expect(log.append(Data("o\n\nthree".utf8)) == ["two", ""])
        #expect(log.text(after: count) == "o\n\nthree")
        #expect(log.takeRest() == "three" && log.takeRest() == nil)
        #expect(log.text == "one\ntwo\n\nthree")
    }

    @Test("a flood is cut off until the next request, and the end is kept")
    func flood() {
        var log = RunnerLog()
        let part = Data(String(repeating: "x", count: 999).utf8) + Data("\n".utf8)
        let lines = (0..<1000).flatMap { _ in log.append(part) }
        #expect(lines.count < 100 && lines.last == "[...]")
        #expect(log.text.utf8.count <= RunnerLog.capacity + 6)
        #expect(log.text(after: log.byteCount - 1000) == String(decoding: part, as: UTF8.self))
        log.beginRequest()
        #expect(log.append(Data("end\n".utf8)) == ["end"])
    }

    @Test("logged lines are separate from printed ones")
    func logged() {
        var log = RunnerLog()
        #expect(log.append(Data("printed".utf8)) == [])
        #expect(log.takeRest() == "printed")
        #expect(log.note("logged") == ["logged"])
        #expect(log.append(Data("more\n".utf8)) == ["more"])
        #expect(log.text == "printedlogged\nmore\n")
    }

    @Test("a flood of logged lines is cut off, and printed lines are still returned")
    func loggedFlood() {
        var log = RunnerLog()
        let line = String(repeating: "x", count: 999)
        let lines = (0..<1000).flatMap { _ in log.note(line) }
        #expect(lines.count < 100 && lines.last == "[...]")
        #expect(log.append(Data("printed\n".utf8)) == ["printed"])
        log.beginRequest()
        #expect(log.note("end") == ["end"])
    }
}
