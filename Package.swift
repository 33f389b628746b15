// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "edithost",
    products: [
        .library(name: "EditingExtensionAPI", type: .static, targets: ["EditingExtensionAPI"]),
        .library(
            name: "EditingExtensionTesting", type: .static, targets: ["EditingExtensionTesting"]),
        .library(
            name: "CEditingExtensionTesting", type: .static, targets: ["CEditingExtensionTesting"]),
        .library(name: "Vips", targets: ["Vips"]),
        .library(name: "EditingModel", targets: ["EditingModel"]),
        .library(name: "Library", targets: ["Library"]),
        .library(name: "EditHost", targets: ["EditHost"]),
        .executable(name: "edithost", targets: ["EditHostCommand"]),
        .executable(name: "edithost-studio", targets: ["StudioProgram"]),
        .executable(name: "edithost-runner", targets: ["ExtensionRunner"]),
        .executable(name: "edithost-media-runner", targets: ["MediaRunner"]),
        .library(name: "SepiaFilter", type: .dynamic, targets: ["SepiaFilter"]),
        .library(name: "CropRotate", type: .dynamic, targets: ["CropRotate"]),
        .library(name: "ColorMixer", type: .dynamic, targets: ["ColorMixer"]),
        .library(name: "Curves", type: .dynamic, targets: ["Curves"]),
        .library(name: "LightAndColor", type: .dynamic, targets: ["LightAndColor"]),
        .library(name: "ColorLUT", type: .dynamic, targets: ["ColorLUT"]),
        .library(name: "Borders", type: .dynamic, targets: ["Borders"]),
        .library(name: "Detail", type: .dynamic, targets: ["Detail"]),
        .library(name: "Retouch", type: .dynamic, targets: ["Retouch"]),
        .library(name: "LensCorrection", type: .dynamic, targets: ["LensCorrection"]),
        .library(name: "Perspective", type: .dynamic, targets: ["Perspective"]),
        .library(name: "Trim", type: .dynamic, targets: ["Trim"]),
        .library(name: "Vignette", type: .dynamic, targets: ["Vignette"]),
        .library(name: "Watermark", type: .dynamic, targets: ["Watermark"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: ["FullFoundation"]),
        // Used directly by the web server; the versions are those of Hummingbird.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The contract with extensions, and the API for extensions in Swift.
        .target(name: "CEditingExtension"),
        .systemLibrary(
            name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .target(name: "CPixelBlocks"),
        .target(name: "CMainQueue"),
        .target(name: "Vips", dependencies: ["CPixelBlocks", "CVips"]),
        .target(
            name: "EditingExtensionAPI",
            dependencies: ["CEditingExtension", "CMainQueue", "EditingValues", "Vips"]),

        // Colour transforms, for the runner and the test host.
        .target(name: "CColor", dependencies: ["CEditingExtension"]),

        // The test host that authors of extensions link into their tests, in C and for Swift.
        .target(
            name: "CEditingExtensionTesting",
            dependencies: ["CColor", "CEditingExtension", "CVips"]),
        .target(
            name: "EditingExtensionTesting",
            dependencies: ["CEditingExtension", "CEditingExtensionTesting", "EditingValues"]),

        // Types shared by extensions, library and host, and those shared by library, host and runners.
        .target(name: "EditingValues"),
        .target(name: "EditingModel", dependencies: ["EditingValues"]),

        // Access to files and to untrusted folders.
        .target(name: "FileAccess"),

        // SHA-256 with OpenSSL.
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "Hashing", dependencies: ["COpenSSL"]),

        // Archives of extensions, compressed with zlib.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // The protocol between host and runners, the code shared by all runners, the metadata of
        // pictures and videos, and the runner for extensions.
        .target(name: "RunnerProtocol", dependencies: ["EditingModel"]),
        .target(name: "CSandbox", linkerSettings: [.linkedLibrary("seccomp")]),
        .target(
            name: "RunnerSupport",
            dependencies: ["CSandbox", "EditingModel", "FileAccess", "RunnerProtocol"]),
        .target(
            name: "ImageMetadata", dependencies: ["EditingModel", "FileAccess", "RunnerProtocol"]),
        .target(name: "CInterposition", dependencies: ["CVips"]),
        .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .executableTarget(
            name: "ExtensionRunner",
            dependencies: [
                "CColor", "CEditingExtension", "CInterposition", "CJPEG", "CSandbox",
                "EditingModel", "FileAccess", "ImageMetadata", "RunnerProtocol", "RunnerSupport",
                "Vips",
            ]),

        // Conversion of video frames to RGB and back, and the runner that opens videos with FFmpeg.
        .target(name: "CYCbCr", dependencies: ["CPixelBlocks"]),
        .target(
            name: "CMedia", dependencies: ["CYCbCr"],
            linkerSettings: ["avformat", "avcodec", "avutil", "swscale"].map {
                .linkedLibrary($0)
            }),
        .executableTarget(
            name: "MediaRunner",
            dependencies: [
                "CMedia", "EditingModel", "FileAccess", "ImageMetadata", "RunnerProtocol",
                "RunnerSupport",
            ]),

        // The host.
        .target(
            name: "Library",
            dependencies: [
                "EditingModel", "FileAccess", "Hashing",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .target(
            name: "RunnerHost",
            dependencies: [
                "EditingModel", "RunnerProtocol", "FileAccess", "CSandbox", "CZlib", "Hashing",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // Pages of contact sheets. The libraries are loaded when they are first used.
        .systemLibrary(
            name: "CPangoCairo", pkgConfig: "pangocairo",
            providers: [.apt(["libpango1.0-dev"])]),
        .target(name: "CPages", dependencies: ["CPangoCairo"]),
        .target(
            name: "EditHost",
            dependencies: [
                "Library", "RunnerHost", "EditingModel", "RunnerProtocol", "FileAccess", "CPages",
                "CSandbox", "Hashing", .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "EditHostCommand",
            dependencies: [
                "EditHost", "JSONOutput", "Library", "EditingModel", "FileAccess", "RunnerHost",
                "RunnerProtocol", "StudioArguments",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]),

        // The JSON objects that commands print and the web server sends.
        .target(
            name: "JSONOutput",
            dependencies: ["EditHost", "EditingModel", "FileAccess", "Library", "RunnerHost"]),

        // The options of the web server, for its program and the command that runs it.
        .target(
            name: "StudioArguments",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]),

        // The web server, in a program of its own: no other program links SwiftNIO.
        .target(
            name: "Studio",
            dependencies: [
                "EditHost", "EditingModel", "FileAccess", "Hashing", "JSONOutput", "Library",
                "RunnerHost",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Web"]),
        .executableTarget(
            name: "StudioProgram",
            dependencies: [
                "EditHost", "FileAccess", "JSONOutput", "Library", "RunnerHost", "Studio",
                "StudioArguments",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]),

        // The shipped extensions, built like third-party ones.
        .target(
            name: "SepiaFilter", dependencies: ["EditingExtensionAPI"],
            path: "Plugins/SepiaFilter", exclude: ["manifest.json"]),
        .target(
            name: "CropRotate", dependencies: ["EditingExtensionAPI"],
            path: "Plugins/CropRotate", exclude: ["manifest.json"]),
        .target(
            name: "Curves", dependencies: ["EditingExtensionAPI"], path: "Plugins/Curves",
            exclude: ["manifest.json"]),
        .systemLibrary(
            name: "CLittleCMS", path: "Plugins/PictureLight/LittleCMS", pkgConfig: "lcms2",
            providers: [.apt(["liblcms2-dev"])]),
        .target(
            name: "CPictureLight", dependencies: ["CLittleCMS", "CVips"],
            path: "Plugins/PictureLight/Kernel"),
        .target(
            name: "PictureLight", dependencies: ["CPictureLight", "EditingExtensionAPI"],
            path: "Plugins/PictureLight", exclude: ["Kernel", "LittleCMS"]),
        .target(
            name: "CLightAndColor", dependencies: ["CPictureLight"],
            path: "Plugins/LightAndColor/Kernel"),
        .target(
            name: "LightAndColor",
            dependencies: ["CLightAndColor", "EditingExtensionAPI", "PictureLight"],
            path: "Plugins/LightAndColor", exclude: ["Kernel", "manifest.json"]),
        .target(
            name: "CColorLUT", dependencies: ["CPictureLight"], path: "Plugins/ColorLUT/Kernel"),
        .target(
            name: "ColorLUT", dependencies: ["CColorLUT", "EditingExtensionAPI", "PictureLight"],
            path: "Plugins/ColorLUT", exclude: ["Kernel", "manifest.json"]),
        .target(
            name: "CColorMixer", dependencies: ["CPictureLight"], path: "Plugins/ColorMixer/Kernel"),
        .target(
            name: "ColorMixer",
            dependencies: ["CColorMixer", "EditingExtensionAPI", "PictureLight"],
            path: "Plugins/ColorMixer", exclude: ["Kernel", "manifest.json"]),
        .target(
            name: "CDetail", dependencies: ["CPictureLight", "CVips"],
            path: "Plugins/Detail/Kernel"),
        .target(
            name: "Detail", dependencies: ["CDetail", "EditingExtensionAPI", "PictureLight"],
            path: "Plugins/Detail", exclude: ["Kernel", "manifest.json"]),
        .target(name: "CRetouch", dependencies: ["CVips"], path: "Plugins/Retouch/Kernel"),
        .target(
            name: "Retouch", dependencies: ["CRetouch", "EditingExtensionAPI"],
            path: "Plugins/Retouch", exclude: ["Kernel", "manifest.json"]),
        .target(
            name: "Perspective", dependencies: ["EditingExtensionAPI"],
            path: "Plugins/Perspective", exclude: ["manifest.json"]),
        .systemLibrary(
            name: "CLensfun", path: "Plugins/LensCorrection/Lensfun", pkgConfig: "lensfun",
            providers: [.apt(["liblensfun-dev"])]),
        .target(
            name: "CLensCorrection", dependencies: ["CLensfun", "CPictureLight"],
            path: "Plugins/LensCorrection/Kernel"),
        .target(
            name: "LensCorrection",
            dependencies: ["CLensCorrection", "CLensfun", "EditingExtensionAPI", "PictureLight"],
            path: "Plugins/LensCorrection", exclude: ["Kernel", "Lensfun", "manifest.json"]),
        .target(
            name: "Trim", dependencies: ["EditingExtensionAPI"], path: "Plugins/Trim",
            exclude: ["manifest.json"]),
        .target(
            name: "Borders", dependencies: ["EditingExtensionAPI", "PictureLight"],
            path: "Plugins/Borders", exclude: ["manifest.json"]),
        .target(
            name: "CVignette", dependencies: ["CPictureLight"], path: "Plugins/Vignette/Kernel"),
        .target(
            name: "Vignette", dependencies: ["CVignette", "EditingExtensionAPI", "PictureLight"],
            path: "Plugins/Vignette", exclude: ["Kernel", "manifest.json"]),
        .target(name: "CWatermark", dependencies: ["CVips"], path: "Plugins/Watermark/Kernel"),
        .target(
            name: "Watermark", dependencies: ["CWatermark", "EditingExtensionAPI", "PictureLight"],
            path: "Plugins/Watermark", exclude: ["Kernel", "manifest.json"]),

        // Programs that use only the public API: one edits without an extension, one uses the library.
        // Also the code in the documentation.
        .executableTarget(
            name: "GrayscaleApp", dependencies: ["EditHost", "EditingModel", "Library", "Vips"],
            path: "Examples/GrayscaleApp", packageAccess: false),
        .executableTarget(
            name: "AlbumApp", dependencies: ["EditHost", "Library"], path: "Examples/AlbumApp",
            packageAccess: false),
        .target(
            name: "Snippets", dependencies: ["EditHost", "EditingModel", "Library", "Vips"],
            path: "Examples/Snippets", packageAccess: false),

        // Tests mirror the modules. They load the shipped extensions as the runner does and must not
        // link them, because each exports the same symbol. SwiftPM builds them anyway.
        .target(
            name: "TestSupport",
            dependencies: ["CSandbox", "EditingModel", "RunnerProtocol", "Vips"],
            path: "Tests/TestSupport",
            exclude: ["FrozenHeader", "Plugins", "Programs"]),
        // Apart from TestSupport, because GRDB's operators slow down the type checker.
        .target(
            name: "LibraryTestSupport", dependencies: ["Library"],
            path: "Tests/LibraryTestSupport"),
        .testTarget(name: "VipsTests", dependencies: ["CPixelBlocks", "Vips", "TestSupport"]),
        .testTarget(name: "YCbCrTests", dependencies: ["CYCbCr", "TestSupport"]),
        .testTarget(
            name: "EditingExtensionAPITests",
            dependencies: ["EditingExtensionAPI", "EditingModel", "Vips"]),
        .testTarget(
            name: "EditingModelTests",
            dependencies: ["EditingModel", "RunnerProtocol", "TestSupport"]),
        .testTarget(
            name: "RepositoryTests", dependencies: ["TestSupport"],
            exclude: ["photokit-names.txt", "photokit-symbols.tsv"]),
        .testTarget(
            name: "RunnerTests",
            dependencies: [
                "ExtensionRunner", "EditingModel", "RunnerProtocol", "CSandbox", "Vips",
                "TestSupport",
            ]),
        .testTarget(name: "HashingTests", dependencies: ["Hashing"]),
        .testTarget(
            name: "ImageMetadataTests",
            dependencies: [
                "EditingModel", "FileAccess", "ImageMetadata", "RunnerProtocol", "TestSupport",
            ]),
        // A process that changes a library until a test kills it.
        .executableTarget(
            name: "LibraryDriver", dependencies: ["Library", "EditingModel", "FileAccess"],
            path: "Tests/LibraryDriver"),
        .testTarget(
            name: "LibraryTests",
            dependencies: [
                "FileAccess", "Hashing", "Library", "LibraryDriver", "LibraryTestSupport",
                "TestSupport",
            ]),
        .testTarget(
            name: "RunnerHostTests",
            dependencies: [
                "ExtensionRunner", "RunnerHost", "RunnerProtocol", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "EditHostTests",
            dependencies: [
                "AlbumApp", "CColorLUT", "CColorMixer", "CDetail", "CLensCorrection", "CLensfun",
                "CLightAndColor", "CLittleCMS", "CPictureLight", "CRetouch", "CVignette",
                "EditHost", "ExtensionRunner", "FileAccess", "GrayscaleApp", "Hashing",
                "LibraryTestSupport", "RunnerHost", "RunnerProtocol", "Vips", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "StudioTests",
            dependencies: [
                "EditHost", "EditingModel", "ExtensionRunner", "Library", "Studio", "TestSupport",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "EditHostCommand", "ExtensionRunner", "JSONOutput", "Library",
                "LibraryTestSupport", "RunnerProtocol", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)

// EDITHOST_STRICT=1, as in CI, treats all warnings in this package as errors.
if Context.environment["EDITHOST_STRICT"] != nil {
    for target in package.targets where target.type != .system {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
        target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}

// EDITHOST_BENCH=1, as in `make bench`, adds the benchmarks of the library, editing sessions and pictures.
if Context.environment["EDITHOST_BENCH"] != nil {
    package.targets.append(
        .executableTarget(
            name: "LibraryBenchmark", dependencies: ["Library", "EditingModel"],
            path: "Benchmarks/LibraryBenchmark"))
    package.targets.append(
        .executableTarget(
            name: "SessionBenchmark", dependencies: ["EditHost", "Library"],
            path: "Benchmarks/SessionBenchmark"))
    package.targets.append(
        .executableTarget(
            name: "ImageBenchmark", dependencies: ["EditHost", "EditingModel", "Library"],
            path: "Benchmarks/ImageBenchmark"))
}

// EDITHOST_DOCS=1, as in `make docs`, adds the documentation tool, which is not needed otherwise.
if Context.environment["EDITHOST_DOCS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
