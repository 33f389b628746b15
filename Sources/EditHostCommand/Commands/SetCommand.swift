// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Library

/// `edithost set`
struct SetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set when and where photographs were taken, keywords, bursts.",
        discussion: """
            The originals are not touched: it is the library that remembers. Several photographs \
            are one change: all, or none.
            """,
        examples: """
            edithost set 3f2a --date 2024-05-31T18:30:00+02:00
            edithost set 3f2a --location 52.5163,13.3777
            edithost set 3f2a 9c41 --keyword Berlin --remove-keyword draft
            """)

    @OptionGroup var photographs: ChangedAssets

    @Option(
        help: ArgumentHelp(
            "When they were taken; none: nobody knows.",
            discussion: """
                2024-05-31 or 2024-05-31T18:30:00, with an offset such as +02:00 where the clock \
                was not in UTC.
                """,
            valueName: "date"))
    var date: CaptureDateArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where they were taken, in degrees north and east; none: nobody knows.",
            valueName: "lat,lon"))
    var location: LocationArgument?

    @OptionGroup var keywords: KeywordOptions
    @OptionGroup var burst: BurstOptions

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if date == nil, location == nil, keywords.isEmpty, burst.isEmpty {
            throw ValidationError(
                "Say what to set: --date, --location, --keyword, --remove-keyword, --burst, "
                    + "--burst-pick, --no-burst-pick, --represents-burst.")
        }
        if burst.representsBurst, photographs.ids.count > 1 {
            throw ValidationError("One photograph can stand for a burst.")
        }
    }

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let assets = try photographs.change(in: library) { request in
            if let date { request.captureDate = date.value }
            if let location { request.location = location.value }
            try keywords.ask(request)
            burst.ask(request)
        }
        for asset in assets {
            let words = keywords.isEmpty ? [] : try asset.keywords(in: library)
            let burst = burst.isEmpty ? nil : asset.burstWords ?? "none"
            try general.output.print(
                .object(asset.jsonMembers), Self.line(asset, keywords: words, burst: burst))
        }
    }

    private static func line(_ asset: Asset, keywords: [String], burst: String?) -> String {
        let place = asset.location.map { "\($0.latitude),\($0.longitude)" }
        return
            (["\(asset.shortIdentifier)  taken \(asset.captureDate?.text ?? "nobody knows when")"]
            + [place ?? "nobody knows where"] + keywords.map(\.printable)
            + (burst.map { ["burst \($0.printable)"] } ?? [])).joined(separator: ", ")
    }
}
