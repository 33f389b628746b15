// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import EditHost

/// The order in which `apply` renders files.
@Suite("groups that are still to be rendered")
struct PendingGroupTests {
    private let groups = [
        ImportGroup(primary: "/a.mov"), ImportGroup(primary: "/b.jpg", companions: ["/b.mov"]),
        ImportGroup(primary: "/c.jpg"), ImportGroup(primary: "/d.mov"),
    ]

    @Test("pictures come first, then videos, then videos that were put back")
    func order() {
        var pending = PendingGroups(groups)
        #expect(pending.hasPictures)
        #expect(pending.removeFirst(1) == [groups[1]])
        pending.append(ImportGroup(primary: "/b.mov"))
        #expect(pending.removeFirst(2) == [groups[2], groups[0]])
        #expect(!pending.hasPictures)
        pending.prepend([groups[2]])
        #expect(pending.hasPictures)
        #expect(
            pending.removeFirst(9) == [groups[2], groups[3], ImportGroup(primary: "/b.mov")])
        #expect(pending.removeFirst(9).isEmpty)
    }

    @Test("taken videos are left out of all groups, but a copy that is read again is not")
    func taken() {
        var pending = PendingGroups(groups)
        pending.take([ImportGroup(primary: "/b.mov"), groups[0], groups[3]])
        pending.prepend([groups[0]])
        #expect(pending.removeFirst(2) == [groups[0], ImportGroup(primary: "/b.jpg")])
        #expect(pending.removeFirst(2) == [groups[2]])
        #expect(pending.removeFirst(2).isEmpty)
    }

    @Test("copies of a file are rendered separately, and each group once")
    func copies() throws {
        let folder = try TemporaryFolder()
        func write(_ text: String, _ name: String) throws -> ImportGroup {
            ImportGroup(primary: try folder.write(Data(text.utf8), to: name))
        }
        let ends = String(repeating: "-", count: 1 << 16)
        let a = try (0..<3).map { try write("same", "a\($0).jpg") }
        let b = try (0..<2).map { try write("\(ends)\($0)\(ends)", "b\($0).jpg") }
        let c = try (0..<2).map { try write("else", "c\($0).mov") }
        let other = try write("so long", "d.jpg")
        let groups = [a[0], c[0], a[1], b[0], b[1], a[2], c[1], other]
        var pending = PendingGroups(groups, copies: PossibleCopies(among: groups.map(\.primary)))
        #expect(pending.hasCopies)
        // Files that differ only in the middle may be copies.
        #expect(pending.removeFirst(16) == [a[0], b[0], other])
        #expect(pending.hasPictures)
        #expect(pending.removeFirst(16) == [a[1], b[1]])
        #expect(pending.removeFirst(16) == [a[2]])
        #expect(!pending.hasPictures)
        #expect(pending.removeFirst(16) == [c[0]])
        #expect(pending.removeFirst(16) == [c[1]])
        #expect(pending.removeFirst(16).isEmpty)
        #expect(!PendingGroups([a[0], b[0], c[0]]).hasCopies)
    }

    @Test("a candidate knows the picture beside it until one of them is rendered")
    func owners() {
        var candidates = MotionCandidates()
        candidates.add(ImportGroup(primary: "/b.mov"), "X", of: "/b.jpg")
        #expect(candidates.owner(of: "/b.mov") == "/b.jpg")
        #expect(candidates.remove("/b.mov") == "X")
        candidates.add(ImportGroup(primary: "/b.mov"), "X")
        #expect(candidates.owner(of: "/b.mov") == nil)
        #expect(candidates.videos(with: "X").count == 1)
    }
}
