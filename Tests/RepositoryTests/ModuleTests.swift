// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The modules of the package, and the imports allowed between them.
@Suite("modules")
struct ModuleTests {
    /// The allowed imports of each module, in addition to the standard and platform libraries.
    private static let allowed: [String: Set<String>] = [
        "Sources/Vips": ["CPixelBlocks", "CVips"],
        "Sources/EditingExtensionAPI": [
            "CEditingExtension", "CMainQueue", "EditingValues", "Vips",
        ],
        "Sources/EditingExtensionTesting": [
            "CEditingExtension", "CEditingExtensionTesting", "EditingValues",
        ],
        "Sources/EditingValues": [],
        "Sources/EditingModel": ["EditingValues"],
        "Sources/FileAccess": [],
        "Sources/RunnerProtocol": ["EditingModel"],
        "Sources/ExtensionRunner": [
            "CColor", "CEditingExtension", "CInterposition", "CJPEG", "CSandbox", "Vips", "CVips",
            "EditingModel", "FileAccess", "ImageMetadata", "RunnerProtocol", "RunnerSupport",
        ],
        "Sources/RunnerSupport": ["CSandbox", "EditingModel", "FileAccess", "RunnerProtocol"],
        "Sources/ImageMetadata": ["EditingModel", "FileAccess", "RunnerProtocol"],
        "Sources/MediaRunner": [
            "CMedia", "EditingModel", "FileAccess", "ImageMetadata", "RunnerProtocol",
            "RunnerSupport",
        ],
        "Sources/Hashing": ["COpenSSL"],
        "Sources/Library": ["EditingModel", "FileAccess", "GRDB", "GRDBSQLite", "Hashing"],
        "Sources/RunnerHost": [
            "EditingModel", "FileAccess", "RunnerProtocol", "CSandbox", "CZlib", "Hashing",
            "Logging",
        ],
        "Sources/EditHost": [
            "Library", "EditingModel", "FileAccess", "RunnerHost", "RunnerProtocol", "CPages",
            "CSandbox", "Hashing", "Logging",
        ],
        "Sources/EditHostCommand": [
            "EditHost", "JSONOutput", "Library", "EditingModel", "FileAccess", "RunnerHost",
            "RunnerProtocol", "StudioArguments", "ArgumentParser", "Logging",
        ],
        "Sources/JSONOutput": ["EditHost", "EditingModel", "FileAccess", "Library", "RunnerHost"],
        "Sources/StudioArguments": ["ArgumentParser"],
        "Sources/Studio": [
            "EditHost", "EditingModel", "FileAccess", "Hashing", "JSONOutput", "Library",
            "RunnerHost", "HTTPTypes", "Hummingbird", "HummingbirdCore", "HummingbirdTLS",
            "Logging",
            "NIOCore", "NIOHTTP1", "NIOSSL", "ServiceLifecycle",
        ],
        "Sources/StudioProgram": [
            "EditHost", "FileAccess", "JSONOutput", "Library", "RunnerHost", "Studio",
            "StudioArguments", "ArgumentParser", "Logging",
        ],
        "Plugins/Borders": ["EditingExtensionAPI", "PictureLight"],
        "Plugins/SepiaFilter": ["EditingExtensionAPI"],
        "Plugins/CropRotate": ["EditingExtensionAPI"],
        "Plugins/ColorLUT": ["CColorLUT", "EditingExtensionAPI", "PictureLight"],
        "Plugins/ColorMixer": ["CColorMixer", "EditingExtensionAPI", "PictureLight"],
        "Plugins/Curves": ["EditingExtensionAPI"],
        "Plugins/Detail": ["CDetail", "EditingExtensionAPI", "PictureLight"],
        "Plugins/LensCorrection": [
            "CLensCorrection", "CLensfun", "EditingExtensionAPI", "PictureLight",
        ],
        "Plugins/LightAndColor": ["CLightAndColor", "EditingExtensionAPI", "PictureLight"],
        "Plugins/Perspective": ["EditingExtensionAPI"],
        "Plugins/PictureLight": ["CPictureLight", "EditingExtensionAPI"],
        "Plugins/Retouch": ["CRetouch", "EditingExtensionAPI"],
        "Plugins/Trim": ["EditingExtensionAPI"],
        "Plugins/Vignette": ["CVignette", "EditingExtensionAPI", "PictureLight"],
        "Plugins/Watermark": ["CWatermark", "EditingExtensionAPI", "PictureLight"],
        "Examples/BrightnessSwift": ["EditingExtensionAPI"],
        "Examples/FadeSwift": ["EditingExtensionAPI"],
        "Examples/MirrorSwift": ["EditingExtensionAPI"],
        "Examples/PosterSwift": ["EditingExtensionAPI"],
        "Examples/SmoothSwift": ["EditingExtensionAPI"],
        "Examples/GrayscaleApp": ["EditHost", "EditingModel", "Library", "Vips"],
        "Examples/AlbumApp": ["EditHost", "Library"],
        "Examples/Snippets": ["EditHost", "EditingModel", "Library", "Vips"],
    ]

    private static let platform: Set<String> = [
        "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Dispatch", "Swift",
    ]

    @Test("each module imports only what the architecture allows")
    func imports() throws {
        for (module, allowed) in Self.allowed {
            let found = try imports(of: module)
            #expect(!found.isEmpty, "nothing found in \(module)")
            let others = found.subtracting(allowed).subtracting(Self.platform)
            #expect(others.isEmpty, "\(module) imports \(others.sorted())")
        }
    }

    /// Dispatch's monitor ends a process that cannot read the states of threads, as in the sandbox: see decision 8.
    /// Extensions may use Dispatch, because their runners answer these reads.
    @Test("nothing that runs in a sandbox imports Dispatch directly")
    func dispatch() throws {
        for module in [
            "MediaRunner", "ExtensionRunner", "RunnerSupport", "RunnerProtocol", "ImageMetadata",
            "FileAccess",
        ] {
            let found = try imports(of: "Sources/\(module)")
            #expect(
                !found.isEmpty && found.isDisjoint(with: ["Dispatch", "Foundation"]), "\(module)")
        }
    }

    @Test("every module with Swift code has a list of allowed imports")
    func listed() throws {
        for folder in ["Sources", "Plugins", "Examples"] {
            let root = "\(BuildProducts.packageFolder)/\(folder)"
            for name in try FileManager.default.contentsOfDirectory(atPath: root) {
                let module = "\(folder)/\(name)"
                let isInSwift = try FileManager.default.subpathsOfDirectory(
                    atPath: "\(root)/\(name)"
                )
                .contains { $0.hasSuffix(".swift") }
                #expect(Self.allowed[module] != nil || !isInSwift, "\(module)")
            }
        }
    }

    private func imports(of module: String) throws -> Set<String> {
        var modules: Set<String> = []
        for (_, text) in try swiftFiles(below: module) {
            // Imports precede declarations. Later lines may be texts that begin with the word.
            for line in text.split(separator: "\n").prefix(while: {
                $0.prefix(2) == "//" || Self.isImport($0)
            })
            where Self.isImport(line) {
                let words = line.split(separator: " ").drop { $0 != "import" }.dropFirst()
                let kinds: Set<Substring> = [
                    "struct", "class", "func", "enum", "protocol", "typealias",
                ]
                let name = words.first { !kinds.contains($0) } ?? ""
                modules.insert(String(name.prefix { $0 != "." }))
            }
        }
        return modules
    }

    private static func isImport(_ line: Substring) -> Bool {
        line.firstMatch(of: #/^(@\w+(\([^)]*\))? )*(public |package |internal )?import /#) != nil
    }

    /// Returns the Swift files below a folder of the package, with their texts.
    private func swiftFiles(below folder: String) throws -> [(path: String, text: String)] {
        let root = "\(BuildProducts.packageFolder)/\(folder)"
        return try FileManager.default.subpathsOfDirectory(atPath: root)
            .filter { $0.hasSuffix(".swift") }
            .map {
                ("\(folder)/\($0)", try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8))
            }
    }

    /// The declaration of a type that is not nested.
    private static var declaration: Regex<(Substring, Substring)> {
        #/^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|final|indirect) )*(?:struct|class|enum|actor|protocol) (\w+)/#
    }

    /// The modules whose folders are checked, with the uses that close cycles between them. The empty name stands for the
    /// files beside the folders.
    private static let knownCycles: [(module: String, uses: Set<String>)] = [
        ("RunnerHost", []),
        (
            "Library",
            [
                " > Changes", " > ContentEditing", " > Database", " > Files",
                "Assets > Files", "Collections > Changes", "ContentEditing > Changes",
                "Database > Backup", "Fetching > Changes", "Files > Backup",
            ]
        ),
        (
            "EditHost",
            [" > ApplicationEditing", " > Editing", "Images > LivePhotos", "Rendering > Images"]
        ),
        ("ExtensionRunner", ["Extensions > Session"]),
    ]

    @Test("the folders of a module depend on each other in no other cycles than the known ones")
    func folders() throws {
        for (module, known) in Self.knownCycles {
            var uses = try dependencies(betweenFoldersOf: "Sources/\(module)")
            #expect(uses.count > 4, "\(module)")
            for use in known {
                let folders = use.components(separatedBy: " > ")
                let (from, to) = (folders[0], try #require(folders.last))
                #expect(
                    uses[from]?.remove(to) != nil, "\(module): \(use) is no longer used; remove it")
            }
            // Folders that use no remaining folder are removed. Only cycles and their users remain.
            while let lowest = uses.first(where: { _, used in used.isDisjoint(with: uses.keys) }) {
                uses[lowest.key] = nil
            }
            #expect(uses.isEmpty, "\(module): \(uses)")
        }
    }

    /// Returns the folders of a module with the other folders whose types they name.
    private func dependencies(
        betweenFoldersOf module: String
    ) throws -> [String: Set<String>] {
        let files = try swiftFiles(below: module).map { path, text in
            let parts = path.dropFirst(module.count + 1).split(separator: "/")
            return (folder: parts.count > 1 ? String(parts[0]) : "", text: text)
        }
        var homes: [Substring: String] = [:]
        for (folder, text) in files {
            for line in text.split(separator: "\n") {
                if let type = line.firstMatch(of: Self.declaration)?.1 { homes[type] = folder }
            }
        }
        var uses: [String: Set<String>] = [:]
        for (folder, text) in files {
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            let words = code.flatMap { $0.split { !$0.isLetter && !$0.isNumber } }
            uses[folder, default: []].formUnion(words.compactMap { homes[$0] })
            uses[folder]?.remove(folder)
        }
        return uses
    }

    /// Private types belong to the file's type. PhotoKit has inputs and outputs both for extensions and for programs.
    @Test("each type has a file of its own name, and no two types share a name")
    func types() throws {
        var files: [Substring: String] = [:]
        for (path, text) in try swiftFiles(below: "Sources") {
            let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            for line in text.split(separator: "\n") {
                guard let type = line.firstMatch(of: Self.declaration)?.1 else { continue }
                #expect(type == name.prefix { $0 != "+" }, "\(type) is in \(path)")
                if !["ContentEditingInput", "ContentEditingOutput"].contains(type) {
                    #expect(
                        files.updateValue(path, forKey: type) == nil, "\(type) is also in \(path)")
                }
            }
        }
    }

    /// Conformances may be beside their protocol, and private helpers beside the code that uses them.
    @Test("extensions of the package's types are in files named after the type")
    func extensions() throws {
        let files = try swiftFiles(below: "Sources").map { path, text in
            (URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent, text)
        }
        let types = Set(files.map(\.0).filter { !$0.contains("+") })
        for (name, text) in files {
            for type in Self.extendedTypes(in: text) where types.contains(String(type)) {
                #expect(type == name.prefix { $0 != "+" }, "\(type) is extended in \(name).swift")
            }
        }
    }

    /// Returns the types with extensions that add members to them for other files.
    private static func extendedTypes(in text: String) -> [Substring] {
        let heading = #/^(?:public |package )?extension (\w+)[^:]*\{$/#
        let member =
            #/^    (?:@\w+ )*(?:[a-z]+(?:\(set\))? )*(?:func|var|let|case|struct|class|enum|typealias|init|subscript)\b/#
        var found: [Substring] = []
        var current: Substring?
        for line in text.split(separator: "\n") {
            if let match = line.firstMatch(of: heading) {
                current = match.1
            } else if line == "}" {
                current = nil
            } else if let type = current, line.firstMatch(of: member) != nil,
                !line.contains("private ")
            {
                found.append(type)
                current = nil
            }
        }
        return found
    }

    @Test("M-09 the repository has its documented shape and builds its products")
    func shape() throws {
        for path in [
            "Package.swift", "Sources/EditHost", "Sources/EditingExtensionAPI", "Sources/Library",
            "Plugins/SepiaFilter", "Plugins/CropRotate", "Tests", "Examples", "Makefile",
            ".ci/run", ".swift-format", "LICENSE", "README.md",
        ] {
            #expect(
                FileManager.default.fileExists(atPath: "\(BuildProducts.packageFolder)/\(path)"),
                "\(path) is missing")
        }
        for product in [
            "edithost", "edithost-runner", "edithost-media-runner", "libSepiaFilter.so",
            "libCropRotate.so",
            "libEditingExtensionAPI.a",
        ] {
            #expect(
                FileManager.default.fileExists(atPath: "\(BuildProducts.programs)/\(product)"),
                "\(product) was not built")
        }
    }

    @Test("M-09 one file lists the packages; README names it, and setup installs them")
    func packages() throws {
        let list = "Scripts/required-packages"
        func text(_ path: String) throws -> String {
            try String(contentsOfFile: "\(BuildProducts.packageFolder)/\(path)", encoding: .utf8)
        }
        #expect(try text("README.md").contains("[`\(list)`](\(list))"))
        #expect(try text("Scripts/setup").contains(list))
        let packages = try Self.packageList()
        #expect(Set(["libvips-dev", "libsqlite3-dev", "libseccomp-dev"]).isSubset(of: packages))
        // No other file lists packages.
        for path in ["README.md", "Makefile", ".ci/run"] {
            let named = try packages.filter { try $0.hasSuffix("-dev") && text(path).contains($0) }
            #expect(named == [], "\(path)")
        }
    }

    /// The Debian packages that the build needs.
    private static func packageList() throws -> [String] {
        let list = "\(BuildProducts.packageFolder)/Scripts/required-packages"
        return try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
            .map(String.init).filter { !$0.hasPrefix("#") }
    }

    @Test("M-09 the packages of the list are installed", .dpkg)
    func installedPackages() throws {
        let packages = try Self.packageList()
        let result = try runProgram(
            "/usr/bin/dpkg-query",
            ["--show", "--showformat=${binary:Package} ${db:Status-Status}\n"] + packages)
        let installed = result.output.split(separator: "\n").filter { $0.hasSuffix(" installed") }
        #expect(result.status == 0 && installed.count == packages.count, "\(result.errors)")
    }

    @Test("M-01 no executable is linked with an extension")
    func links() throws {
        for program in [BuildProducts.command, BuildProducts.runner] {
            let result = try runProgram("/usr/bin/env", ["ldd", program])
            #expect(result.status == 0)
            #expect(result.output.contains("libc.so"))
            #expect(!result.output.contains("SepiaFilter"))
            #expect(!result.output.contains("CropRotate"))
        }
    }

    /// Loading them takes several milliseconds.
    @Test(
        "the command loads the libraries that draw pages only when they are used",
        .enabled(
            if: BuildProducts.programs.hasSuffix("release"), "only make build relinks programs"))
    func pageLibraries() throws {
        for program in [BuildProducts.command, BuildProducts.studio] {
            let result = try runProgram("/usr/bin/env", ["ldd", program])
            #expect(result.status == 0 && result.output.contains("libc.so"))
            #expect(!result.output.contains("pango") && !result.output.contains("cairo"))
        }
    }

    @Test("random numbers in tests have a reproducible seed")
    func seeds() throws {
        let root = "\(BuildProducts.packageFolder)/Tests"
        let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        // The driver is a separate process. It waits for random times, so that no two processes wait alike.
        let exempt = ["TestSupport/TestSeed.swift", "LibraryDriver/Driver.swift"]
        for file in files where file.hasSuffix(".swift") && !exempt.contains(file) {
            let text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
            #expect(!text.contains("SystemRandom" + "NumberGenerator"), "\(file)")
            let unseeded = text.split(separator: "\n").filter {
                $0.contains(".random(" + "in:") && !$0.contains("using:")
            }
            #expect(unseeded == [], "\(file)")
        }
    }

    @Test("no source file has more than 500 lines")
    func lengths() throws {
        for folder in ["Sources", "Plugins", "Tests", "Examples"] {
            let root = "\(BuildProducts.packageFolder)/\(folder)"
            for file in FileManager.default.enumerator(atPath: root)?
                .compactMap({ $0 as? String }) ?? []
            where [".swift", ".c", ".h"].contains(where: file.hasSuffix)
                // The contract is one header, most of it comments, and only grows.
                && !file.hasSuffix("editing_extension.h")
            {
                let text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
                #expect(lines <= 501, "\(folder)/\(file) has \(lines) lines")
            }
        }
    }
}
