// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Library

/// The command `edithost preview`.
struct PreviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Render a preview of an edit without applying it.",
        discussion: "The library is not changed. An existing file is replaced.",
        examples: """
            edithost preview 3f2a --with sepia --output preview.jpg
            edithost preview 3f2a --with sepia -o small.png --size 640x640
            edithost preview 3f2a --with sepia -o detail.png --region 0.4,0.4,0.2,0.2
            edithost preview 3f2a --with sepia -o frame.jpg --time 2.5s
            """)

    @OptionGroup var photo: AssetArgument

    @OptionGroup var edit: EditOptions

    @OptionGroup var destination: OutputFileOption

    @Option(
        help: ArgumentHelp(
            "Fit the picture into this box (default: 2048x2048).",
            valueName: "widthxheight"))
    var size: PixelSize?

    @Option(
        help: ArgumentHelp(
            "Render only this part, as fractions of the edited picture; without --size at full "
                + "resolution.",
            valueName: "x,y,width,height"))
    var region: NormalizedRect?

    @Option(
        help: ArgumentHelp(
            "For a video: the time of the frame, such as 2.5s or 1:30 (default: the first "
                + "frame); a time after the end selects the last frame.",
            valueName: "time"))
    var time: VideoTime?

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        try edit.requireExtension()
        try destination.file.validate(general)
    }

    func run() async throws {
        try destination.file.requireNoTerminal()
        let library = try libraryOptions.open(for: .reading)
        let id = photo.id
        let asset = try library.asset(named: id)
        let identifier = asset.localIdentifier
        let request = try edit.request(in: library)
        let cancellation = EditCancellation()
        let written = try await general.withHost(
            interruption: Interruption(cancelling: cancellation)
        ) { host in
            if let losses = try await host.losses(byEditing: identifier, in: library) {
                general.output.message("\(id): \(losses)")
            }
            guard let format = destination.format else {
                return try await host.preview(
                    identifier, request, in: library, to: destination.path, size: size,
                    region: region, time: time?.seconds, cancellation: cancellation)
            }
            let picture = try await host.preview(
                identifier, request, in: library, as: format, size: size, region: region,
                time: time?.seconds, cancellation: cancellation)
            try StandardStream.output.print(picture.data)
            return picture.size
        }
        if let time, asset.duration > 0, time.seconds > asset.duration {
            general.output.message(
                "\(id) is \((asset.duration * 1000).rounded() / 1000) s long; this is its last "
                    + "frame"
            )
        }
        let loss = try library.history(ofAsset: identifier).editLoss
        if !destination.file.isStandardOutput {
            try general.output.print(
                [
                    "id": identifier, "path": destination.path, "pixelWidth": written.width,
                    "pixelHeight": written.height, "warnings": [loss].compactMap(\.self),
                ],
                "\(destination.path)  \(written)")
        }
        if let loss { general.output.message("\(ShortIdentifier.of(identifier)): \(loss)") }
    }
}
