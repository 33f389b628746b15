// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport

/// The answers to image requests, in order.
final class ImageAnswers: Sendable {
    struct Answer: Sendable {
        let image: AssetImage?
        let info: ImageRequestInfo
        let hadReturned: Bool
    }

    private let answers = Mutex<[Answer]>([])
    private let returned = Mutex(false)

    var all: [Answer] { answers.withLock { $0 } }

    var handler: ImageResultHandler {
        { [self] image, info in
            let hadReturned = returned.withLock { $0 }
            answers.withLock {
                $0.append(Answer(image: image, info: info, hadReturned: hadReturned))
            }
        }
    }

    /// Records that the requesting call has returned.
    func markReturned() { returned.withLock { $0 = true } }

    /// Waits for `count` answers.
    func wait(for count: Int = 1) async throws -> [Answer] {
        try await waitUntil("there are \(count) answers") { all.count >= count }
        return all
    }

    /// Waits for the last answer to one request.
    func waitForEnd() async throws -> [Answer] {
        try await waitUntil("the last answer is there") { all.last?.info.isDegraded == false }
        return all
    }
}

extension TestStudio {
    /// A manager with an empty memory cache.
    func manager(memoryLimit: Int = ImageManager.defaultMemoryLimit) -> ImageManager {
        ImageManager(host: host, library: library, memoryLimit: memoryLimit)
    }

    /// Imports a picture and fetches it.
    func imported(_ picture: TestPicture) async throws -> Asset { try asset(await add(picture)) }

    func imported(_ data: Data, named name: String) async throws -> Asset {
        try asset(await add(data, named: name))
    }

    /// Requests an image and waits for the last answer.
    func answers(
        _ manager: ImageManager, _ asset: Asset, _ size: PixelSize,
        _ mode: ImageContentMode = .aspectFit, _ options: ImageRequestOptions? = nil
    ) async throws -> [ImageAnswers.Answer] {
        let answers = ImageAnswers()
        manager.requestImage(
            for: asset, targetSize: size, contentMode: mode, options: options,
            resultHandler: answers.handler)
        answers.markReturned()
        return try await answers.waitForEnd()
    }
}

extension ImageRequestOptions {
    /// The default options with changes.
    static func with(_ change: (inout ImageRequestOptions) -> Void) -> ImageRequestOptions {
        var options = ImageRequestOptions()
        change(&options)
        return options
    }

    /// The best picture at exactly the requested size.
    static let exact = with {
        $0.deliveryMode = .highQualityFormat
        $0.resizeMode = .exact
    }
}

extension TestPicture {
    /// The pixels of a rendered picture.
    init(_ image: AssetImage) {
        self.init(
            width: image.width, height: image.height, bands: image.bands,
            samples: [UInt8](image.data))
    }

    /// A gradient so smooth that every reduction gives nearly the same picture: red increases to the right, green
    /// downwards.
    static func slope(width: Int, height: Int) -> TestPicture {
        var samples: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                samples += [UInt8(x * 255 / width), UInt8(y * 255 / height), 128]
            }
        }
        return TestPicture(width: width, height: height, bands: 3, samples: samples)
    }

    func part(x: Int, y: Int, width: Int, height: Int) -> TestPicture {
        var samples: [UInt8] = []
        for row in y..<y + height {
            let start = (row * self.width + x) * bands
            samples += self.samples[start..<start + width * bands]
        }
        return TestPicture(width: width, height: height, bands: bands, samples: samples)
    }
}
