// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import JSONOutput
import TestSupport
import Testing

@testable import EditHostCommand

/// The generated pages in `docs/reference`. `EDITHOST_WRITE_REFERENCE=1` rewrites them.
@Suite("The reference")
struct ReferencePageTests {
    @Test("command-line.md is what the commands say about themselves")
    func commandLine() throws {
        let help = try Workbench().run("--experimental-dump-help")
        #expect(help.status == 0)
        try expect(CommandReference(dump: Data(help.output.utf8)).page, in: "command-line.md")
    }

    @Test("exit-statuses.md has every status and its meaning")
    func exitStatuses() throws {
        try expect(Self.exitStatusPage, in: "exit-statuses.md")
    }

    @Test("validation.md has every check of extensions validate")
    func validation() throws { try expect(Self.validationPage, in: "validation.md") }

    @Test("extensions.md has every parameter and preset of the shipped extensions")
    func extensions() throws { try expect(ExtensionReference().page, in: "extensions.md") }

    /// The page is written by hand. The members are found in the source code of the commands.
    @Test("json.md has every member that the commands print")
    func json() throws {
        let root = BuildProducts.packageFolder
        let page = try String(contentsOfFile: "\(root)/docs/reference/json.md", encoding: .utf8)
        let member = try Regex<(Substring, Substring)>(#"[\[,]\s*"([a-zA-Z]+)":\s"#)
        var found = 0
        for folder in ["Commands", "Output"] {
            let path = "\(root)/Sources/EditHostCommand/\(folder)"
            for file in try FileManager.default.contentsOfDirectory(atPath: path) {
                let code = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
                for match in code.matches(of: member) {
                    found += 1
                    let isNamed = page.contains("`\(match.1)`")
                    #expect(isNamed, "\(file): \(match.1)")
                }
            }
        }
        #expect(found > 100)
    }

    /// Compares a page with its file, after rewriting the file on request.
    private func expect(_ page: String, in name: String) throws {
        let path = "\(BuildProducts.packageFolder)/docs/reference/\(name)"
        if ProcessInfo.processInfo.environment["EDITHOST_WRITE_REFERENCE"] == "1" {
            try Data(page.utf8).write(to: URL(fileURLWithPath: path))
        }
        let isCurrent = try page == String(contentsOfFile: path, encoding: .utf8)
        #expect(
            isCurrent,
            """
            docs/reference/\(name) is out of date; run \
            EDITHOST_WRITE_REFERENCE=1 swift test --filter ReferencePageTests
            """)
    }

    private static let validationPage: String = {
        let rows = ValidationCheck.all.map { check in
            let requirements = check.requirements.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(check.id)` | \(check.summary) | \(requirements) |"
        }
        return """
            # Checks of extensions

            This page is generated from the program. It lists the checks of
            [`edithost extensions validate`](command-line.md#edithost-extensions-validate), in the order in which they run. See
            [Check an extension for mistakes](../guides/packaging.md#check-an-extension-for-mistakes) for the guide.

            Each check runs the extension in separate sandboxed processes. Its outcome is one of these:

            | Outcome | Meaning |
            |---|---|
            | `passed` | the extension does what the check requires |
            | `failed` | it does not |
            | `warning` | the behaviour may be intended, but is a mistake in most extensions |
            | `skipped` | the check does not apply or is incomplete, or a check that it depends on failed |
            | `crashed` | the process of the extension died |

            A call that the [sandbox](../design/sandbox.md) denies, such as writing to another folder, connecting to a server or starting a program,
            fails with `EPERM` or `EACCES`. No check reports the call itself, because the kernel does not report which access to a file it denied,
            and system libraries also try calls that they do not depend on. If the extension returns the failure, the checks that need the call fail
            with its message.

            | Check | What it requires, and why | Depends on |
            |---|---|---|
            \(rows.joined(separator: "\n"))

            """
    }()

    private static let exitStatusPage: String = {
        let rows = ExitStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }
        return """
            # Exit statuses

            This page is generated from the program.

            | Status | Meaning |
            |---|---|
            \(rows.joined(separator: "\n"))

            * An error message names the item and says what happened and what to do. A command that fails completely leaves the library unchanged.
            * 0 is also the status if there is nothing to do, such as an `undo` of a photo without edits.
            * 1 means that the other items succeeded. If all of several items fail, the status is that of the first failure.
            * 64 is also the status of a misspelt command, extension, parameter, choice or album; the message suggests the closest name.
            * 65 is also the status of a library whose folder contains links, pipes or other items that a library never contains.
            * 69 is also the status of an extension that cannot edit this kind of photo or video, or this recipe.
            * 74 means that the printed output is incomplete, for example on a full disk.
            * 75 is also the status if another process edited the same photo in the meantime.
            * 130 is also the status that a shell reports if Ctrl-C (SIGINT) ends a command. A command
              that is cancelled by SIGTERM or SIGHUP discards uncommitted changes and ends with that signal (143 or 129 in a
              shell). `work run` exits with 75.
            * 141 is reported without a message.

            [`check`](command-line.md#edithost-check) exits with one of these statuses:

            | Status | Meaning |
            |---|---|
            | 0 | clean, or only notices: referenced files are missing or have changed, imported videos cannot be decoded, or an interrupted process left a folder |
            | 1 | repairable |
            | 2 | damaged |
            | 75 | `--repair` found the library in use |

            ## Error codes

            With `--json`, errors have one of these codes ([JSON output](json.md#errors)):

            \(ExitStatus.allCodes.map { "`\($0)`" }.joined(separator: ", "))

            """
    }()
}
