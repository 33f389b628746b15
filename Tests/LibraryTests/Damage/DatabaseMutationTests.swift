// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Library

/// Databases damaged by accident or on purpose. Every operation on them must soon end with a result
/// or an error.
enum DatabaseMutation {
    /// Runs all operations on a library in separate processes. Returns what went wrong.
    static func complaints(about path: String, of rich: RichLibrary) throws -> [String] {
        var complaints: [String] = []
        var outputs: [String] = []
        for verb in ["check", "survey", "shake"] {
            // A minute is enough even on a busy machine.
            let result = try runProgram(
                "/usr/bin/timeout",
                ["--signal=KILL", "60", DriverStage.driver, path, verb, rich.picture])
            outputs.append(result.output)
            if result.status != 0 {
                complaints.append(
                    "\(verb) ended with \(result.status): \(result.errors.suffix(500))")
            }
            complaints += result.output.split(separator: "\n")
                .filter { $0.hasPrefix("unexpected") }.map { "\(verb): \($0)" }
        }
        if outputs[0].contains("check: clean"), outputs[1].contains("damaged:") {
            complaints.append("check finds nothing, but: \(outputs[1].prefix(1000))")
        }
        return complaints
    }

    /// Damages the bytes of this many copies.
    static func pages(_ count: Int, seed: UInt64, of rich: RichLibrary) throws -> [String] {
        var random = SeededGenerator(seed: seed)
        return try (0..<count).flatMap { number in
            let path = try rich.copy()
            defer { try? FileManager.default.removeItem(atPath: path) }
            let what = try PageDamage.apply(to: RichLibrary.database(path), using: &random)
            return try complaints(about: path, of: rich)
                .map { "seed \(seed), number \(number), \(what): \($0)" }
        }
    }

    /// Writes a value that the schema forbids into a column of a copy.
    static func value(
        _ value: String, in column: LooseTables.Column, of rich: RichLibrary
    ) throws -> [String] {
        let path = try rich.copy()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try LooseTables.put(value, into: column, of: path)
        return try complaints(about: path, of: rich).map { "\(column) = \(value): \($0)" }
    }

    /// Changes the declared type of a column in a copy.
    static func type(
        _ type: String, of column: LooseTables.Column, of rich: RichLibrary
    ) throws -> [String] {
        let path = try rich.copy()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try LooseTables.loosen(column.table, of: path, type: type, column: column.name)
        return try complaints(about: path, of: rich).map { "\(column) \(type): \($0)" }
    }
}

/// A fixed sample of mutations.
@Suite("damaged databases")
struct DatabaseMutationTests {
    @Test("every operation succeeds on the undamaged library, which is clean")
    func undamaged() throws {
        let rich = try RichLibrary()
        let path = try rich.copy()
        let check = try runProgram(DriverStage.driver, [path, "check"])
        #expect(check.output == "check: clean\n", "\(check.output)")
        let survey = try runProgram(DriverStage.driver, [path, "survey"])
        #expect(survey.output == "" && survey.status == 0, "\(survey.output)")
        let shake = try runProgram(DriverStage.driver, [path, "shake", rich.picture])
        #expect(shake.output == "" && shake.status == 0, "\(shake.output)")
    }

    @Test("flipped bits, swapped pages and truncated files give an answer or an error")
    func pages() throws {
        let rich = try RichLibrary()
        #expect(try DatabaseMutation.pages(8, seed: 9, of: rich) == [])
    }

    @Test("invalid column values give an answer or an error")
    func values() throws {
        let rich = try RichLibrary()
        var random = SeededGenerator(seed: 9)
        let columns = try LooseTables.columns(of: rich.path)
        for _ in 0..<10 {
            let column = Fuzz.pick(columns, using: &random)
            let value = Fuzz.pick(LooseTables.values, using: &random)
            #expect(try DatabaseMutation.value(value, in: column, of: rich) == [])
        }
    }
}

/// Hundreds of random mutations.
@Suite(
    "damaged databases, exhaustive",
    .torture)
struct DatabaseMutationTorture {
    @Test("flipped bits, swapped pages and truncations at every scale give an answer or an error")
    func pages() throws {
        let rich = try RichLibrary()
        let seed = TestSeed.seed()
        let complaints = try DatabaseMutation.pages(300, seed: seed, of: rich)
        print("pages, seed \(seed): \(complaints.count) complaints")
        #expect(complaints == [])
    }

    @Test("invalid values in every column give an answer or an error")
    func values() throws {
        let rich = try RichLibrary()
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        var complaints: [String] = []
        for column in try LooseTables.columns(of: rich.path) {
            for value in LooseTables.values.shuffled(using: &random).prefix(5) {
                complaints += try DatabaseMutation.value(value, in: column, of: rich)
            }
        }
        print("values, seed \(seed): \(complaints.count) complaints")
        #expect(complaints == [])
    }

    @Test("a wrong type in every column gives an answer or an error")
    func types() throws {
        let rich = try RichLibrary()
        var complaints: [String] = []
        for column in try LooseTables.columns(of: rich.path) {
            for type in ["TEXT", "BLOB"] {
                complaints += try DatabaseMutation.type(type, of: column, of: rich)
            }
        }
        print("types: \(complaints.count) complaints")
        #expect(complaints == [])
    }
}
