// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import Testing
import Vips

@Suite("images")
struct ImageTests {
    @Test("samples round-trip through memory", arguments: [BandFormat.uchar, .ushort])
    func memory(format: BandFormat) throws {
        let (image, numbers) = try Pictures.make(width: 7, height: 5, bands: 4, format: format)
        #expect(try image.samples() == numbers)
        #expect((image.width, image.height, image.bands) == (7, 5, 4))
        #expect(image.hasAlpha)
        #expect(image.byteCount == 140 * format.size)
        #expect(try image.copiedToMemory().samples() == numbers)
    }

    @Test("the first read of an image is reported once and changes no samples")
    func firstRead() throws {
        let (image, numbers) = try Pictures.make(width: 300, height: 200, bands: 3)
        let reads = Mutex(0)
        let noticing = try image.notifyingFirstRead { reads.withLock { $0 += 1 } }
        let flipped = try noticing.applying("flip", ["direction": "vertical"])
        #expect(flipped.height == 200 && reads.withLock { $0 } == 0)
        for _ in 0..<2 {
            #expect(try noticing.samples() == numbers)
            #expect(try flipped.applying("flip", ["direction": "vertical"]).samples() == numbers)
        }
        #expect(reads.withLock { $0 } == 1)
    }

    @Test("borrowed memory is released with the last image")
    func borrowedMemory() throws {
        try VipsLibrary.initialize()
        final class Flag: @unchecked Sendable {
            // Written when the image below is released, on this test's own thread.
            var isReleased = false
        }
        let flag = Flag()
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 12, alignment: 1)
        defer { bytes.deallocate() }
        bytes.copyBytes(from: 0..<12)
        var image: Image? = try Image(
            memory: UnsafeRawBufferPointer(bytes), width: 2, height: 2, bands: 3, format: .uchar,
            interpretation: .srgb, release: { flag.isReleased = true })
        var flipped = try image?.applying("flip", ["direction": "vertical"])
        image = nil
        #expect(!flag.isReleased)
        #expect(try flipped?.pixels() == [6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5])
        flipped = nil
        #expect(flag.isReleased)
    }

    @Test("a size that does not match the bytes is rejected")
    func wrongSize() throws {
        try VipsLibrary.initialize()
        for (width, height) in [(2, 3), (0, 0), (-2, -2), (Int.max, 2)] {
            let error = #expect(throws: VipsError.self) {
                try Image(
                    bytes: [UInt8](repeating: 0, count: 12), width: width, height: height,
                    bands: 3, format: .uchar, interpretation: .srgb)
            }
            #expect(error?.code == .invalidValue)
        }
    }

    @Test("metadata is edited on a copy")
    func metadata() throws {
        let (image, numbers) = try Pictures.make(width: 3, height: 3, bands: 3)
        let copy = try image.copying {
            $0.set("orientation", to: 3)
            $0.set("ratio", to: 0.25)
            $0.set("caption", to: "grüße 100%")
            $0.set("icc-profile-data", to: [0, 1, 2])
            $0.setInterpretation(.rgb)
        }
        #expect(copy.integer("orientation") == 3)
        #expect(copy.double("ratio") == 0.25)
        #expect(copy.string("caption") == "grüße 100%")
        #expect(copy.blob("icc-profile-data") == [0, 1, 2])
        #expect(copy.text("ratio") == "0.25")
        #expect(copy.hasProfile)
        #expect(copy.interpretation == .rgb)
        #expect(copy.fieldNames.contains("caption"))
        #expect(try copy.samples() == numbers)
        #expect(!image.hasField("caption"))
        #expect(!image.hasProfile)
        #expect(image.interpretation == .srgb)
        let bare = try copy.copying { #expect($0.remove("icc-profile-data")) }
        #expect(!bare.hasProfile)
        #expect(copy.hasProfile)
        #expect(image.integer("no such field") == nil)
    }

    @Test("files are written to a descriptor and read from one")
    func descriptors() throws {
        let (image, numbers) = try Pictures.make(width: 40, height: 30, bands: 3, format: .ushort)
        let file = try temporaryFile()
        defer { close(file) }
        try image.write(to: ImageTarget(fileDescriptor: file), saver: "pngsave_target")
        #expect(lseek(file, 0, SEEK_SET) == 0)
        let source = try ImageSource(fileDescriptor: file)
        #expect(try source.findLoader() == "VipsForeignLoadPngSource")
        let read = try Image(source: source, options: ["access": "sequential", "fail_on": "error"])
        #expect(read.format == .ushort)
        #expect(try read.samples() == numbers)
    }

    @Test("raw pixels stream to a descriptor without padding")
    func rawPixels() throws {
        let (image, _) = try Pictures.make(width: 333, height: 200, bands: 3)
        let file = try temporaryFile()
        defer { close(file) }
        let cropped = try image.applying(
            "extract_area", ["left": 5, "top": 7, "width": 301, "height": 190])
        try cropped.writePixels(toFileDescriptor: file)
        let size = Int(lseek(file, 0, SEEK_END))
        #expect(size == cropped.byteCount)
        var bytes = [UInt8](repeating: 0, count: size)
        #expect(pread(file, &bytes, size, 0) == size)
        #expect(try bytes == cropped.pixels())
    }

    @Test("an unwritable descriptor is an error")
    func unwritable() throws {
        let (image, _) = try Pictures.make(width: 3, height: 3, bands: 3)
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        let error = #expect(throws: VipsError.self) {
            try image.writePixels(toFileDescriptor: file)
        }
        #expect(error?.code == .inputOutput)
    }

    @Test("names of band formats and interpretations match libvips")
    func names() throws {
        let (image, _) = try Pictures.make(width: 3, height: 3, bands: 3)
        for format in BandFormat.allCases {
            let cast = try image.applying("cast", ["format": .string(format.name)])
            #expect(cast.format == format)
            #expect(cast.bytesPerPixel == 3 * format.size)
        }
        for interpretation in Interpretation.allCases {
            let copy = try image.applying(
                "copy", ["interpretation": .string(interpretation.name)])
            #expect(copy.interpretation == interpretation)
        }
    }

    @Test("the library reports its version and available operations")
    func library() throws {
        try VipsLibrary.initialize()
        #expect(VipsLibrary.version.hasPrefix("8."))
        #expect(VipsLibrary.hasOperation("flip"))
        #expect(!VipsLibrary.hasOperation("no_such_operation"))
    }

    /// An unnamed file, which the caller closes.
    private func temporaryFile() throws -> Int32 {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        return dup(fileno(file))
    }
}
