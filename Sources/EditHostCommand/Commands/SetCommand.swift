// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONOutput
import Library

/// The command `edithost set`.
struct SetCommand: AssetCommand {
    /// The command sets these values, so filters for them have other names.
    enum Names: FilterNames {
        static let taken: Set = ["burst", "keyword", "label", "rating"]
    }

    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: """
            Set dates, locations, titles, descriptions, creators, copyrights, ratings, labels, \
            keywords and bursts.
            """,
        discussion: """
            The changes are stored in the library; the originals are not modified. Several \
            photos are changed in one transaction: either all of them or none. --rating, --label, \
            --keyword and --burst set values; the filters for them are --with-rating and so on.
            """,
        examples: """
            edithost set 3f2a --date 2024-05-31T18:30:00+02:00
            edithost set --camera D850 --since 2024-05-01 --shift +1h
            edithost set 3f2a --location 52.5163,13.3777
            edithost set 3f2a 9c41 --keyword Berlin --remove-keyword draft
            edithost set 3f2a --title "Brandenburg Gate" --rating 4 --label Red
            edithost set 3f2a --creator "Ada Bell" --copyright "2024 Ada Bell"
            edithost set --album Summer --with-rating 4.. --keyword best
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: AssetFilterOptions<Names>
    @OptionGroup(title: "Order") var order: OrderOptions

    @Option(
        help: ArgumentHelp(
            "Set the capture date, such as 2024-05-31; none removes it.",
            discussion: """
                2024-05-31 or 2024-05-31T18:30:00, with Z or an offset from UTC such as +02:00 if \
                it is known. 1952 or 1952-07 is the first day of the year or month.
                """,
            valueName: "date"))
    var date: CaptureDateArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Shift the capture date of each photo, such as +1h30m, -2d or +00:30.",
            discussion: """
                A date without a time moves by whole days. Photos without a date are reported.
                """,
            valueName: "time"))
    var shift: DateShift?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Set the location in degrees north and east; none removes it.",
            valueName: "lat,lon"))
    var location: LocationArgument?

    @OptionGroup var texts: TextOptions
    @OptionGroup var keywords: KeywordOptions
    @OptionGroup var burst: BurstOptions

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if date == nil, shift == nil, location == nil, texts.isEmpty, keywords.isEmpty,
            burst.isEmpty
        {
            throw ValidationError(
                "Give at least one of --date, --shift, --location, --title, --description, "
                    + "--creator, --copyright, --label, --rating, --keyword, --remove-keyword, --burst, --burst-pick, "
                    + "--no-burst-pick, --represents-burst.")
        }
        try assets.validate()
        if date != nil, shift != nil {
            throw ValidationError("Use --date or --shift, not both.")
        }
        if burst.representsBurst { try requireOne(named.ids) }
    }

    private func requireOne(_ names: [some Any]) throws {
        guard names.count > 1 else { return }
        throw ValidationError("--represents-burst needs exactly one photo.")
    }

    func run() async throws {
        let names = try assets.names
        let library = try libraryOptions.open(for: .changing)
        let selected = try await assets.identifiers(in: library, named: names, general)
        if burst.representsBurst { try requireOne(selected) }
        try await change(selected, in: library)
        try library.readChanged(selected) { asset in
            let words = keywords.isEmpty ? [] : try asset.keywords(in: library)
            let burst = burst.isEmpty ? nil : asset.burstWords ?? "none"
            let line = Self.line(asset, texts: !texts.isEmpty, keywords: words, burst: burst)
            try general.output.print(asset.row, line)
            for keyword in keywords.nested(among: words) {
                general.output.message(
                    "\(asset.shortIdentifier): \(keyword.printable) is another keyword; give all of "
                        + "its levels to remove it")
            }
            if shift != nil, asset.captureDate == nil {
                general.output.message("\(asset.shortIdentifier): no date to shift")
            }
        }
    }

    /// Changes the photos. A new member of a burst needs a host, which compares its frames.
    private func change(_ identifiers: [String], in library: PhotoLibrary) async throws {
        guard burst.burst != nil else {
            return try library.change(identifiers) { try ask($0, in: library) }
        }
        try await general.withHost(jobs: 1) { host in
            host.attach(to: library)
            try library.change(identifiers) { try ask($0, in: library) }
        }
    }

    private func ask(_ request: AssetChangeRequest, in library: PhotoLibrary) throws {
        if let date { request.captureDate = date.value }
        if let shift {
            let identifier = request.assetIdentifier
            request.changeCaptureDate { before in
                if let after = shift.applied(to: before) { return after }
                throw CommandEnd(
                    status: .usage,
                    message: "asset \(identifier): the date would be outside the years 1 to "
                        + "9999; nothing was changed")
            }
        }
        if let location { request.location = location.value }
        texts.ask(request)
        try keywords.ask(request)
        try burst.ask(request, in: library)
    }

    private static func line(
        _ asset: Asset, texts: Bool, keywords: [String], burst: String?
    ) -> String {
        let place = asset.location.map { $0.tableText }
        return
            ([
                "\(asset.shortIdentifier)  taken \(asset.captureDate?.tableText ?? "at an unknown date")"
            ]
            + [place ?? "location unknown"]
            + (texts ? asset.textFacts.map { "\($0) \($1.printable)" } : [])
            + keywords.map(\.printable)
            + (burst.map { ["burst \($0.printable)"] } ?? [])).joined(separator: ", ")
    }
}
