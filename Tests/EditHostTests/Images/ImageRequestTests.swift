// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing
import Vips

/// The options of an image request, and the size of the result.
@Suite("image requests")
struct ImageRequestTests {
    @Test("I-01 I-02 I-06 I-10 options are a value type with PhotoKit's defaults")
    func defaults() {
        let options = ImageRequestOptions()
        #expect(!options.isSynchronous && !options.isNetworkAccessAllowed)
        #expect(options.version == .current && options.deliveryMode == .opportunistic)
        #expect(options.resizeMode == .fast && options.normalizedCropRect == .zero)
        #expect(options.progressHandler == nil)
        var copy = options
        copy.isSynchronous = true
        #expect(!options.isSynchronous)
        #expect(invalidImageRequestID.rawValue == 0)
    }

    @Test("I-05 I-07 I-34 raw values match PhotoKit; aspect fit is the default")
    func rawValues() {
        #expect(ImageContentMode.aspectFit.rawValue == 0)
        #expect(ImageContentMode.aspectFill.rawValue == 1)
        #expect(ImageContentMode.default == .aspectFit)
        let versions: [ImageRequestOptionsVersion] = [.current, .unadjusted, .original]
        #expect(versions.map(\.rawValue) == [0, 1, 2])
        let deliveries: [ImageRequestOptionsDeliveryMode] = [
            .opportunistic, .highQualityFormat, .fastFormat,
        ]
        #expect(deliveries.map(\.rawValue) == [0, 1, 2])
        let resizes: [ImageRequestOptionsResizeMode] = [.none, .fast, .exact]
        #expect(resizes.map(\.rawValue) == [0, 1, 2])
    }

    @Test("I-08 I-09 the picture is cropped before sizing; a crop requires exact mode")
    func crop() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient(width: 400, height: 200)
        let asset = try await studio.imported(picture)
        let manager = studio.manager()
        var options = ImageRequestOptions.exact
        options.normalizedCropRect = NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        let whole = try await manager.image(
            for: asset, targetSize: ImageManager.maximumSize, options: options)
        #expect(TestPicture(whole) == picture.part(x: 100, y: 50, width: 200, height: 100))
        let small = try await manager.image(
            for: asset, targetSize: PixelSize(width: 50, height: 50), options: options)
        #expect(small.size == PixelSize(width: 50, height: 25))

        for mode in [ImageRequestOptionsResizeMode.none, .fast] {
            options.resizeMode = mode
            await #expect(throws: HostError.self) {
                try await manager.image(
                    for: asset, targetSize: PixelSize(width: 50, height: 50), options: options)
            }
            let answer = try #require(
                try await studio.answers(
                    manager, asset, PixelSize(width: 50, height: 50), .aspectFit, options
                ).first)
            #expect(answer.image == nil)
            #expect((answer.info.error as? HostError)?.code == .badRequest)
        }
        await studio.host.shutDown()
    }

    @Test(
        "I-08 a crop outside the picture is rejected",
        arguments: [
            NormalizedRect(x: 0.5, y: 0, width: 0.6, height: 1),
            NormalizedRect(x: -0.1, y: 0, width: 0.5, height: 0.5),
            NormalizedRect(x: 0, y: 0, width: 0, height: 1),
            NormalizedRect(x: 0, y: 0, width: .nan, height: 1),
            NormalizedRect(x: 0, y: .infinity, width: 1, height: 1),
        ])
    func badCrop(_ crop: NormalizedRect) async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.gradient())
        var options = ImageRequestOptions.exact
        options.normalizedCropRect = crop
        let error = await #expect(throws: HostError.self) {
            try await studio.manager().image(
                for: asset, targetSize: PixelSize(width: 9, height: 9), options: options)
        }
        #expect(error?.code == .badRequest && error?.assetIdentifier == asset.localIdentifier)
        await studio.host.shutDown()
    }

    @Test("zero and negative sizes are rejected; huge sizes give the picture's own size")
    func absurdSizes() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.gradient())
        let manager = studio.manager()
        for size in [
            PixelSize(width: 0, height: 5), PixelSize(width: 5, height: -1),
            PixelSize(width: .min, height: .min),
        ] {
            let error = await #expect(throws: HostError.self) {
                try await manager.image(for: asset, targetSize: size)
            }
            #expect(error?.code == .badRequest)
        }
        let image = try await manager.image(
            for: asset, targetSize: PixelSize(width: .max, height: 1 << 40))
        #expect(image.size == PixelSize(width: 37, height: 23))
        await studio.host.shutDown()
    }

    @Test("I-27 without resizing the picture has its version's size and pixels")
    func none() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient(width: 300, height: 200, bands: 4)
        let asset = try await studio.imported(picture)
        let image = try await studio.manager().image(
            for: asset, targetSize: PixelSize(width: 10, height: 10),
            options: .with { $0.resizeMode = .none })
        #expect(TestPicture(image) == picture)
        #expect(image.bytesPerRow == 1200 && image.byteCount == 240_000 && image.bands == 4)
        await studio.host.shutDown()
    }

    @Test(
        "I-28 fast gives at least the requested size and less than twice it",
        arguments: ["jpeg", "png", "webp", "tiff"])
    func fast(_ format: String) async throws {
        let studio = try TestStudio()
        let picture = TestPicture.slope(width: 1200, height: 800)
        let asset = try await studio.imported(picture.encoded(format), named: "a.\(format)")
        let manager = studio.manager(memoryLimit: 0)
        for side in [7, 33, 50, 99, 150, 299, 300, 301, 599, 601, 1199, 1200, 5000] {
            let image = try await manager.image(
                for: asset, targetSize: PixelSize(width: side, height: side))
            let target = min(side, 1200)
            #expect(image.width >= target && image.width < 2 * target, "\(side): \(image.size)")
            #expect(image.width <= 1200 && image.height <= 800)
            // Red grows from left to right over the whole picture.
            let rendered = TestPicture(image)
            #expect(rendered.samples[0] < 40)
            #expect(rendered.samples[(rendered.width - 1) * 3] > 215)
        }
        await studio.host.shutDown()
    }

    @Test("I-28 fast: a JPEG is decoded at one eighth, and not at full size")
    func decodedReduced() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(
            TestPicture.slope(width: 1200, height: 1200).encoded("jpeg"), named: "a.jpg")
        let before = studio.host.decodes
        let image = try await studio.manager().image(
            for: asset, targetSize: PixelSize(width: 100, height: 100),
            options: .with { $0.deliveryMode = .highQualityFormat })
        #expect(studio.host.decodes.fullSize == before.fullSize)
        #expect(studio.host.decodes.reduced == before.reduced + 1)
        // Full size, a half and a quarter could each be halved again and still have 100 pixels.
        #expect(image.size == PixelSize(width: 1200 / 8, height: 1200 / 8))
        await studio.host.shutDown()
    }

    @Test("a cached picture has the pixels of its file")
    func fromTheCache() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.slope(width: 1200, height: 800))
        let size = PixelSize(width: 257, height: 257)
        let options = ImageRequestOptions.with { $0.resizeMode = .exact }
        // The first is rendered from the photo, and cached.
        _ = try await studio.manager().image(for: asset, targetSize: size, options: options)
        let file = try await studio.manager().encodedImage(
            for: asset, targetSize: size, options: options)
        #expect(file.format == .jpeg)
        let image = try await studio.manager(memoryLimit: 0).image(
            for: asset, targetSize: size, options: options)
        let expected = try TestPicture(decoding: file.data)
        #expect(image.size == file.size && image.byteCount == expected.samples.count)
        let pairs = zip(TestPicture(image).samples, expected.samples)
        #expect(pairs.allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        await studio.host.shutDown()
    }

    @Test("I-29 I-30 exact fits inside or covers the box to the pixel")
    func exact() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.slope(width: 1200, height: 800))
        let manager = studio.manager()
        let sizes: [(PixelSize, fit: PixelSize, fill: PixelSize)] = [
            (
                .init(width: 300, height: 300), .init(width: 300, height: 200),
                .init(width: 450, height: 300)
            ),
            (
                .init(width: 100, height: 10), .init(width: 15, height: 10),
                .init(width: 100, height: 67)
            ),
            (.init(width: 1, height: 1), .init(width: 1, height: 1), .init(width: 2, height: 1)),
            (
                .init(width: 1201, height: 801), .init(width: 1200, height: 800),
                .init(width: 1200, height: 800)
            ),
            (
                .init(width: 600, height: 900), .init(width: 600, height: 400),
                .init(width: 1200, height: 800)
            ),
        ]
        for (box, fit, fill) in sizes {
            let fitted = try await manager.image(for: asset, targetSize: box, options: .exact)
            #expect(fitted.size == fit)
            let filled = try await manager.image(
                for: asset, targetSize: box, contentMode: .aspectFill, options: .exact)
            #expect(filled.size == fill)
        }
        await studio.host.shutDown()
    }

    @Test("a picture is never enlarged, even in exact mode, and the result has its true size")
    func neverEnlarged() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.imported(picture)
        for mode in [ImageContentMode.aspectFit, .aspectFill] {
            let image = try await studio.manager().image(
                for: asset, targetSize: PixelSize(width: 4000, height: 3000), contentMode: mode,
                options: .exact)
            #expect(TestPicture(image) == picture)
        }
        await studio.host.shutDown()
    }

    @Test(
        "a reduced picture is upright for every orientation", arguments: 1...8)
    func orientations(_ orientation: Int) async throws {
        let studio = try TestStudio()
        let picture = TestPicture.slope(width: 640, height: 480)
        let data = try picture.encoded("jpeg", options: ["Q": 95]) {
            $0.set("orientation", to: orientation)
        }
        let asset = try await studio.imported(data, named: "a.jpg")
        let isTurned = orientation > 4
        for options in [ImageRequestOptions.exact, ImageRequestOptions()] {
            let image = try await studio.manager().image(
                for: asset, targetSize: PixelSize(width: 160, height: 160), options: options)
            #expect(
                image.size
                    == (isTurned
                        ? PixelSize(width: 120, height: 160) : PixelSize(width: 160, height: 120)))
            let rendered = TestPicture(image)
            func sample(_ x: Double, _ y: Double) -> (Double, Double) {
                let column = Int(x * Double(rendered.width - 1))
                let row = Int(y * Double(rendered.height - 1))
                let start = (row * rendered.width + column) * 3
                return (
                    Double(rendered.samples[start]) / 255, Double(rendered.samples[start + 1]) / 255
                )
            }
            // The position in the file of a point of the upright picture (EXIF 2.32, orientation).
            let stored: [(Double, Double) -> (Double, Double)] = [
                { ($0, $1) }, { (1 - $0, $1) }, { (1 - $0, 1 - $1) }, { ($0, 1 - $1) },
                { ($1, $0) }, { ($1, 1 - $0) }, { (1 - $1, 1 - $0) }, { (1 - $1, $0) },
            ]
            for (x, y) in [(0.2, 0.3), (0.8, 0.4), (0.5, 0.9)] {
                let (red, green) = sample(x, y)
                let (column, row) = stored[orientation - 1](x, y)
                #expect(abs(red - column) < 0.03 && abs(green - row) < 0.03, "\(x) \(y)")
            }
        }
        await studio.host.shutDown()
    }

    @Test(
        "alpha is kept, or composited on white if isOpaque is set"
    )
    func alphaAndColour() async throws {
        let studio = try TestStudio()
        let half = TestPicture(
            width: 64, height: 64, bands: 4,
            samples: (0..<64 * 64).flatMap { _ in [UInt8(100), 0, 0, 0] })
        let asset = try await studio.imported(half)
        let manager = studio.manager()
        let size = PixelSize(width: 32, height: 32)
        let clear = try await manager.image(for: asset, targetSize: size, options: .exact)
        #expect(clear.bands == 4 && clear.data[3] == 0)
        var opaque = ImageRequestOptions.exact
        opaque.isOpaque = true
        let laid = try await manager.image(for: asset, targetSize: size, options: opaque)
        #expect(laid.bands == 3 && Set(laid.data) == [255])

        let profile = try TestProfile.named("p3")
        let color: [UInt8] = [100, 150, 120]
        let plain = TestPicture(
            width: 64, height: 64, bands: 3, samples: (0..<64 * 64).flatMap { _ in color })
        let wide = try await studio.imported(
            plain.encoded { $0.set("icc-profile-data", to: profile) }, named: "wide.png")
        var keeping = ImageRequestOptions.exact
        keeping.keepsColorProfile = true
        let kept = try await manager.image(for: wide, targetSize: size, options: keeping)
        #expect(TestPicture(kept).samples == (0..<32 * 32).flatMap { _ in color })
        #expect(kept.originalProfile == Data(profile))
        let converted = try await manager.image(for: wide, targetSize: size, options: .exact)
        #expect(converted.bands == 3 && converted.originalProfile == nil)
        let expected = Self.sRGB(ofDisplayP3: color.map { Double($0) })
        for (index, sample) in converted.data.enumerated() {
            try #require(abs(Double(sample) - expected[index % 3]) <= 2, "\(sample): \(expected)")
        }
        await studio.host.shutDown()
    }

    /// A Display P3 color in sRGB, 0...255, by the matrices of CSS Color 4. Both spaces have the same curve.
    private static func sRGB(ofDisplayP3 color: [Double]) -> [Double] {
        func linear(_ sample: Double) -> Double {
            let value = sample / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        func encoded(_ light: Double) -> Double {
            if light <= 0.0031308 { return 255 * 12.92 * light }
            return 255 * (1.055 * pow(light, 1 / 2.4) - 0.055)
        }
        let rows: [[Double]] = [
            [1.2249401, -0.2249401, 0], [-0.0420569, 1.0420569, 0],
            [-0.0196376, -0.0786361, 1.0982735],
        ]
        let light = color.map(linear)
        return rows.map { row in
            encoded(row[0] * light[0] + row[1] * light[1] + row[2] * light[2])
        }
    }

    @Test(
        "I-29 exact sizes of elongated pictures keep the nearest proportions, cached or not"
    )
    func longPictures() async throws {
        let studio = try TestStudio()
        let box = PixelSize(width: 1000, height: 1000)
        for (width, height, expected) in [(3000, 1000, 333), (3000, 250, 83), (2999, 7, 2)] {
            let asset = try await studio.imported(.slope(width: width, height: height))
            let exact = ImageRequestOptions.with { $0.resizeMode = .exact }
            let image = try await studio.manager().image(
                for: asset, targetSize: box, options: exact)
            #expect(image.size == PixelSize(width: 1000, height: expected))
            let other = studio.manager()
            let kept = try await other.encodedImage(for: asset, targetSize: box, options: exact)
            #expect(kept.size == image.size && other.renders == 0)
            let again = try await other.image(for: asset, targetSize: box, options: exact)
            #expect(again.size == image.size && other.renders == 1)
            let quick = try await studio.manager().image(
                for: asset, targetSize: PixelSize(width: 10, height: 10))
            #expect(quick.width >= 10 && quick.width < 20)
        }
        await studio.host.shutDown()
    }

    @Test(
        "pictures for viewing have no metadata at any size and may keep their profile"
    )
    func noMetadata() async throws {
        let studio = try TestStudio()
        let data = try TestPicture.slope(width: 2400, height: 100).encoded("jpeg") { metadata in
            metadata.set(
                "exif-ifd0-Artist", to: "Somebody (Somebody, ASCII, 9 components, 9 bytes)")
            metadata.set("xmp-data", to: Array("<x>Somebody</x>".utf8))
        }
        #expect(data.firstRange(of: Data("Somebody".utf8)) != nil)
        let asset = try await studio.imported(data, named: "a.jpg")
        for format in [MediaFormat.jpeg, .png, .webp, .tiff] {
            for side in [100, 3000] {
                let file = try await studio.manager().encodedImage(
                    for: asset, targetSize: PixelSize(width: side, height: side),
                    options: .with { $0.keepsColorProfile = true }, format: format)
                #expect(file.format == format)
                #expect(file.data.firstRange(of: Data("Somebody".utf8)) == nil, "\(format) \(side)")
            }
        }
        await studio.host.shutDown()
    }

    @Test("a quality without a format applies, and different qualities give different bytes")
    func quality() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.gradient(width: 300, height: 200))
        let manager = studio.manager()
        let size = PixelSize(width: 256, height: 256)
        let low = try await manager.encodedImage(for: asset, targetSize: size, quality: 5)
        let high = try await manager.encodedImage(for: asset, targetSize: size, quality: 95)
        #expect(low.format == .jpeg && high.format == .jpeg && low.data.count * 2 < high.data.count)
        await studio.host.shutDown()
    }
}
