// SPDX-License-Identifier: Apache-2.0

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
