// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EditingExtensionAPI
import Foundation

/// A controller isolated to the main actor, like one with a user interface: everything runs on the main
/// queue. Brightens by 20.
@MainActor
final class MainQueue: @preconcurrency ContentEditingController {
    nonisolated static let identifier = "org.example.mainqueue"
    nonisolated static let version = "1.0"

    private var input: ContentEditingInput?
    private var amount = 0

    init() {}

    func canHandle(_ adjustmentData: AdjustmentData) -> Bool {
        adjustmentData.formatIdentifier == Self.identifier
    }

    func startContentEditing(with input: ContentEditingInput, placeholderImage: Image) {
        MainActor.assertIsolated()
        self.input = input
        // The queued block runs before the next call.
        DispatchQueue.main.async { MainActor.assumeIsolated { self.amount += 5 } }
    }

    func renderPreview() throws -> Image {
        guard let input else { throw CancellationError() }
        return try brightened(input.displaySizeImage)
    }

    func finishContentEditing(
        completionHandler: @escaping @Sendable (ContentEditingOutput?) -> Void
    ) {
        dispatchPrecondition(condition: .onQueue(.main))
        DispatchQueue.global().async {
            DispatchQueue.main.async {
                Task { @MainActor in
                    self.amount += 5
                    try? await Task.sleep(for: .milliseconds(1))
                    self.amount += 10
                    completionHandler(self.output())
                }
            }
        }
    }

    private func output() -> ContentEditingOutput? {
        guard let input else { return nil }
        let output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = AdjustmentData(
            formatIdentifier: Self.identifier, formatVersion: "1.0", data: Data([1]))
        output.image = try? brightened(input.fullSizeImage(access: .sequential))
        return output
    }

    private func brightened(_ image: Image) throws -> Image {
        try image.applying(
            "linear", ["a": .doubles([1]), "b": .doubles([Double(amount)]), "uchar": true])
    }

    func cancelContentEditing() {}
}

/// The only symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(MainQueue.self, host: host)
}
