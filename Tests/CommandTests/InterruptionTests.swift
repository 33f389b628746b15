// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Ctrl-C and other signals that ask a program to end.
@Suite("interruption")
struct InterruptionTests {
    private func bench(editedInMode mode: String? = nil) throws -> (Workbench, String) {
        let (bench, ids) = try Workbench.withPhotos(1)
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        try bench.assumeReproducing()
        if let mode {
            let command = try RunningCommand(bench, edit(ids[0], mode))
            try command.waitUntilWaiting()
            try command.letFinish()
            #expect(try command.status() == 0)
        }
        return (bench, ids[0])
    }

    private func edit(_ id: String, _ mode: String) -> [String] {
        ["edit", id, "--with", "adder", "--set", "amount=7", "--set", "mode=\(mode)"]
    }

    private func expectNothingLeft(_ command: RunningCommand, in bench: Workbench) throws {
        #expect(command.leftFolders.isEmpty)
        #expect(try bench.run("check").status == 0)
    }

    @Test(
        "a signal cancels an edit, which ends by the same signal: nothing committed, no runner left",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func cancelledEdit(number: Int32) throws {
        let (bench, id) = try bench()
        let command = try RunningCommand(bench, edit(id, "wait"))
        try command.waitUntilWaiting()
        command.send(number)
        #expect(try command.status() == 128 + number)
        #expect(command.wasEndedBySignal)
        #expect(command.output.contains("cancelled"))
        #expect(try bench.position(id) == (0, 0))
        try expectNothingLeft(command, in: bench)
    }

    @Test("several edits are cancelled together; --keep-going keeps those already committed")
    func cancelledSeveral() throws {
        let (bench, first) = try bench(editedInMode: "wait")
        let second = try bench.importPicture(seed: 2)
        let third = try bench.importPicture(seed: 3)
        for (isKeptGoing, amount) in [(false, 21), (true, 22)] {
            let options = isKeptGoing ? ["--keep-going"] : []
            let command = try RunningCommand(
                bench,
                [
                    "edit", first, second, third, "--with", "adder", "--set",
                    "amount=\(amount)", "--set", "mode=wait",
                ] + options)
            try command.waitUntilWaiting()
            try command.letFinish()
            // Several photos are edited concurrently, so any of them may have been released.
            let all = [first, second, third]
            let moved = {
                try all.filter { try bench.position($0).current != ($0 == first ? 1 : 0) }
            }
            if isKeptGoing { try blockUntil("an edit is committed") { try !moved().isEmpty } }
            try command.waitUntilWaiting()
            command.send(SIGINT)
            #expect(try command.status() == 130)
            #expect(try moved().count == (isKeptGoing ? 1 : 0))
            if isKeptGoing { #expect(command.output.contains("1 edited and kept, 2 left")) }
            try expectNothingLeft(command, in: bench)
        }
    }

    @Test("a cancelled rerender leaves the picture unchanged")
    func cancelledRerender() throws {
        let (bench, id) = try bench(editedInMode: "wait")
        let before = try bench.exported(id, "current").bytes
        let command = try RunningCommand(bench, ["rerender", "--all", "--force", "--json"])
        try command.waitUntilWaiting()
        command.send(SIGINT)
        #expect(try command.status() == 130)
        #expect(!command.output.contains("failed"))
        #expect(command.output.contains("cancelled; 0 rendered and kept, 1 left"))
        #expect(try bench.exported(id, "current").bytes == before)
        try expectNothingLeft(command, in: bench)
    }

    @Test("kill -9 in the middle of an edit leaves the old state and no damage")
    func killed() throws {
        let (bench, id) = try bench()
        let command = try RunningCommand(bench, edit(id, "wait"))
        try command.waitUntilWaiting()
        command.send(SIGKILL)
        try command.waitUntilEnded()
        // The staging folder of the process is only a notice.
        #expect(try bench.run("check").status == 0)
        #expect(try bench.position(id) == (0, 0))
        // The next change removes the leftovers.
        #expect(try bench.run("edit", id, "--with", "adder").status == 0)
        #expect(try bench.run("check").status == 0)
    }

    @Test("no file gets the descriptor of a standard stream that was closed at start")
    func closedStreams() throws {
        let (bench, id) = try bench()
        let command = try RunningCommand(bench, closingStreams: true, edit(id, "wait"))
        try command.waitUntilWaiting()
        for number in 0...2 {
            #expect(try command.target(ofDescriptor: number) == "/dev/null")
        }
        try command.letFinish()
        #expect(try command.status() == 141)
        #expect(try bench.position(id) == (1, 1))
        #expect(try bench.run("check", "--read-data", "100").status == 0)
    }

    @Test("a signal ignored at start, as by nohup, stays ignored")
    func ignoredSignal() throws {
        let (bench, id) = try bench()
        let command = try RunningCommand(bench, ignoring: "HUP", edit(id, "wait"))
        try command.waitUntilWaiting()
        command.send(SIGHUP)
        try command.letFinish()
        #expect(try command.status() == 0)
        #expect(try bench.position(id) == (1, 1))
    }

    @Test("C-18 at a terminal the user is asked first; declining keeps the session alive")
    func declining() throws {
        let (bench, id) = try bench()
        let command = try RunningCommand(bench, atTerminal: true, edit(id, "asking-wait"))
        try command.waitUntilWaiting()
        command.send(SIGINT)
        try command.waitFor("Discard the edit? [y/N] ")
        command.type("n")
        try command.waitFor("the edit continues")
        try command.letFinish()
        #expect(try command.status() == 0)
        #expect(try bench.position(id) == (1, 1))
        #expect(
            try bench.exported(id, "current").picture == TestPicture.gradient().adding(7))
    }

    @Test(
        "C-18 confirming ends the session, and so does a second Ctrl-C", arguments: [true, false])
    func agreeing(byTyping: Bool) throws {
        let (bench, id) = try bench()
        let command = try RunningCommand(bench, atTerminal: true, edit(id, "asking-wait"))
        try command.waitUntilWaiting()
        command.send(SIGINT)
        try command.waitFor("Discard the edit? [y/N] ")
        if byTyping { command.type("y") } else { command.send(SIGINT) }
        #expect(try command.status() == 130)
        #expect(try bench.position(id) == (0, 0))
        try expectNothingLeft(command, in: bench)
    }

    @Test("C-18 nothing is committed while the user is being asked")
    func askingHoldsTheCommit() throws {
        let (bench, id) = try bench()
        let command = try RunningCommand(bench, atTerminal: true, edit(id, "asking-wait"))
        try command.waitUntilWaiting()
        command.send(SIGINT)
        try command.waitFor("Discard the edit? [y/N] ")
        try command.letFinish()
        command.type("y")
        #expect(try command.status() == 130)
        #expect(try bench.position(id) == (0, 0))
    }

    @Test("C-18 there is no prompt without a terminal or if the extension requests none")
    func noQuestion() throws {
        for (mode, atTerminal) in [("wait", true), ("asking-wait", false)] {
            let (bench, id) = try bench()
            let command = try RunningCommand(bench, atTerminal: atTerminal, edit(id, mode))
            try command.waitUntilWaiting()
            command.send(SIGINT)
            #expect(try command.status() == 130, "\(mode)")
            #expect(try bench.position(id) == (0, 0))
        }
    }
}
