// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import FileAccess
import Foundation
import JSONOutput
import RunnerHost

/// The command `edithost extensions trust-publisher`.
struct TrustPublisherCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust-publisher",
        abstract: "Trust the extensions of a publisher, list the publishers, or revoke one.",
        discussion: """
            A publisher is a public key of minisign. Archives with a valid signature of a trusted \
            publisher are trusted when they are installed; installed extensions do not change. \
            --revoke also withdraws trust from the builds that were trusted because of the \
            publisher's signature.
            """,
        examples: """
            edithost extensions trust-publisher example.pub
            edithost extensions trust-publisher --list
            edithost extensions trust-publisher --revoke example.pub
            """)

    @Argument(
        help: ArgumentHelp(
            "The public key, or a file that contains it.", valueName: "key"),
        completion: .file())
    var key: String?

    @Flag(help: "List the trusted publishers and their extensions.")
    var list = false

    @Flag(help: "Withdraw trust from the publisher.")
    var revoke = false

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        guard list == (key == nil), !(list && revoke) else {
            throw ValidationError("Give a key, or --list alone.")
        }
    }

    func run() async throws {
        try await general.withHost { host in
            let trust = host.extensions.trust
            guard let key else { return try printAll(trust) }
            let publisher = try Self.publisher(key)
            guard revoke else {
                try trust.trust(publisher)
                return try general.output.print(
                    Self.row(publisher, trust.extensions(of: publisher)),
                    "the publisher \(publisher.name) is trusted")
            }
            guard let extensions = try trust.revoke(publisher) else {
                throw HostError(
                    .badRequest,
                    "the publisher \(publisher.name) is not trusted, so there is nothing to revoke")
            }
            let names = extensions.joined(separator: ", ")
            try general.output.print(
                Self.row(publisher, extensions),
                "the publisher \(publisher.name) is no longer trusted"
                    + (extensions.isEmpty ? "" : ", nor are its extensions: \(names)"))
        }
    }

    private func printAll(_ trust: ExtensionTrust) throws {
        var table = TextTable(["publisher", "key", "extensions"])
        for publisher in trust.publishers {
            let extensions = trust.extensions(of: publisher)
            try general.output.printJSON(Self.row(publisher, extensions))
            table.add([publisher.name, publisher.text, extensions.joined(separator: ", ")])
        }
        try general.output.printText(
            trust.publishers.isEmpty ? ["no trusted publishers"] : table.lines)
    }

    /// Returns the key that the argument is, or that the file contains.
    private static func publisher(_ key: String) throws -> PublisherKey {
        if let publisher = PublisherKey(key) { return publisher }
        let file = try OpenFile.readingRegularFile(key)
        let text = try file.read(count: ArchiveSignature.maximumSize)
        guard let publisher = PublisherKey(String(decoding: text, as: UTF8.self)) else {
            throw HostError(.badRequest, "\(key) is not a public key of minisign")
        }
        return publisher
    }

    private static func row(_ publisher: PublisherKey, _ extensions: [String]) -> JSONRow {
        ["publisher": publisher.name, "key": publisher.text, "extensions": extensions]
    }
}
