// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

/// The three-way merge of the library's values with those of files.
@Suite("merged metadata")
struct MetadataMergeTests {
    private func merge(
        _ own: DescriptiveMetadata, base: DescriptiveMetadata, stated: DescriptiveMetadata,
        restoring: Bool = false
    ) -> MetadataMerge {
        MetadataMerge(own, base: base, stated: stated, restoresMissing: restoring)
    }

    /// The rating after a merge, the next base, and whether a value was kept.
    private func rating(
        _ own: Int?, _ base: Int?, _ stated: Int?, restoring: Bool = false
    ) -> [Int?] {
        let merged = merge(
            DescriptiveMetadata(rating: own), base: DescriptiveMetadata(rating: base),
            stated: DescriptiveMetadata(rating: stated), restoring: restoring)
        return [merged.values.rating, merged.base.rating, merged.kept.count]
    }

    @Test("a stated value is taken over unless the library's was changed")
    func ratings() {
        #expect(rating(nil, nil, 4) == [4, 4, 0])
        #expect(rating(2, 2, 5) == [5, 5, 0])
        #expect(rating(3, 2, 5) == [3, 5, 1])
        #expect(rating(5, 2, 5) == [5, 5, 0])
        #expect(rating(3, 2, 2) == [3, 2, 0])
        #expect(rating(nil, 2, 5) == [nil, 5, 1])
        #expect(rating(nil, 2, 2) == [nil, 2, 0])
        // A value that is no longer stated is kept, and so is its base.
        #expect(rating(2, 2, nil) == [2, 2, 0])
        #expect(rating(3, 2, nil) == [3, 2, 0])
        // import --again restores what was removed.
        #expect(rating(nil, 2, 2, restoring: true) == [2, 2, 0])
        #expect(rating(nil, 2, 5, restoring: true) == [5, 5, 0])
        #expect(rating(3, 2, 5, restoring: true) == [3, 5, 1])
    }

    @Test("a recorded removal is kept, even if the base has no value or files are read again")
    func removal() {
        for (base, restoring, kept) in [
            (nil, false, 1), (nil, true, 1), ("Old", true, 1), ("Ann", true, 0),
        ] as [(String?, Bool, Int)] {
            let merged = MetadataMerge(
                DescriptiveMetadata(), base: DescriptiveMetadata(creator: base, copyright: base),
                stated: DescriptiveMetadata(creator: "Ann", copyright: "Ann"),
                restoresMissing: restoring, removed: [.creator])
            #expect(merged.values.creator == nil && merged.base.creator == "Ann")
            #expect(merged.kept.filter { $0.field == .creator }.count == kept)
            #expect((merged.values.copyright == "Ann") == (base == nil || restoring))
        }
    }

    @Test("a kept value is reported once, and taken over once the file states it")
    func reports() {
        let first = merge(
            DescriptiveMetadata(title: "Mine"), base: DescriptiveMetadata(title: "Old"),
            stated: DescriptiveMetadata(title: "New"))
        #expect(
            first.kept.first?.located(in: DescriptiveMetadata(title: "New")).message
                == "kept: title \"Mine\" was set in the library; the sidecar says \"New\"")
        let second = merge(
            first.values, base: first.base, stated: DescriptiveMetadata(title: "New"))
        #expect(second.kept.isEmpty && second.values.title == "Mine")
        let third = merge(
            second.values, base: second.base, stated: DescriptiveMetadata(title: "Mine"))
        #expect(third.kept.isEmpty)
        let fourth = merge(third.values, base: third.base, stated: DescriptiveMetadata(title: "4"))
        #expect(fourth.values.title == "4")
        let removed = merge(
            DescriptiveMetadata(), base: DescriptiveMetadata(rating: 1),
            stated: DescriptiveMetadata(rating: 2))
        #expect(
            removed.kept.first?.message
                == "kept: the rating was removed in the library; the file says 2")
    }

    @Test("dates are compared to the millisecond")
    func dates() {
        let date = CaptureDate(date: Date(timeIntervalSince1970: 1e9 + 0.1234567), offset: nil)
        let stored = CaptureDate(date: Date(timeIntervalSince1970: 1e9 + 0.123457), offset: nil)
        let new = CaptureDate(date: Date(timeIntervalSince1970: 2e9), offset: 3600)
        let merged = merge(
            DescriptiveMetadata(captureDate: stored), base: DescriptiveMetadata(captureDate: date),
            stated: DescriptiveMetadata(captureDate: new))
        #expect(merged.values.captureDate == new && merged.kept.isEmpty)
    }

    @Test("random keywords merge as sets do")
    func keywords() {
        var random = SeededGenerator(seed: 40)
        let words = (0..<8).map { "word \($0)" }
        func some() -> Set<String> { Set(words.filter { _ in Bool.random(using: &random) }) }
        for _ in 0..<3000 {
            let (own, base, stated) = (some(), some(), some())
            let isRestoring = Bool.random(using: &random)
            let merged = merge(
                DescriptiveMetadata(keywords: own.sorted()),
                base: DescriptiveMetadata(keywords: base.sorted()),
                stated: DescriptiveMetadata(keywords: stated.sorted()), restoring: isRestoring)
            var expected = own
            if !stated.isEmpty {
                expected.subtract(base.subtracting(stated))
                expected.formUnion(
                    own.isEmpty && isRestoring ? stated : stated.subtracting(base))
            }
            #expect(Set(merged.values.keywords) == expected)
            #expect(merged.values.keywords.count == expected.count)
            #expect(Set(merged.base.keywords) == (stated.isEmpty ? base : stated))
            #expect(merged.kept.isEmpty)
        }
    }

    @Test("random values follow the rules of a three-way merge, and merging twice changes nothing")
    func randomValues() {
        var random = SeededGenerator(seed: 41)
        func some() -> Int? { [nil, 1, 2, 3].randomElement(using: &random) ?? nil }
        for _ in 0..<3000 {
            let (own, base, stated) = (some(), some(), some())
            let merged = merge(
                DescriptiveMetadata(rating: own), base: DescriptiveMetadata(rating: base),
                stated: DescriptiveMetadata(rating: stated))
            let isSetHere = own != base
            let isNew = stated != nil && stated != base
            #expect(merged.values.rating == (isNew && !isSetHere ? stated : own))
            #expect(merged.base.rating == stated ?? base)
            #expect(merged.kept.isEmpty == !(isNew && isSetHere && own != stated))
            let again = merge(
                merged.values, base: merged.base, stated: DescriptiveMetadata(rating: stated))
            #expect(again.values == merged.values && again.kept.isEmpty)
            #expect(again.base == merged.base)
        }
    }

    @Test("no more keywords are added than an asset can have")
    func manyKeywords() {
        let limit = PhotoMetadata.maximumKeywords
        let merged = merge(
            DescriptiveMetadata(keywords: (1..<limit).map { "own \($0)" }),
            base: DescriptiveMetadata(), stated: DescriptiveMetadata(keywords: ["a", "b", "c"]))
        #expect(merged.values.keywords.count == limit && merged.values.keywords.last == "a")
    }
}
