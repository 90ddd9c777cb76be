import CoreVideo
import Foundation
import Pipeline
import Testing

@testable import Vision

@Suite("What draws the eye where nobody is")
struct ConspicuousThingTests {
    /// 2.4 s at ten frames a second; `luma` of the pixel and the frame.
    private func offers(isAnybodySeen: (Int) -> Bool = { _ in false }, luma: (Int, Int, Int) -> Int) throws -> [(objectID: Int, box: CGRect)?] {
        var (thing, numbers) = (ConspicuousThing(), Identities())
        let somebody = Detection(objectID: 100, groupID: 100, kind: .face, bounds: CGRect(x: 0.9, y: 0, width: 0.05, height: 0.05))
        return try (0..<24).map { index in
            let picture = try ReducedPicture(Pictures.picture(320, 180, luma: { luma($0, $1, index) }))
            try thing.step(picture, time: Int64(index) * 100_000_000, seen: isAnybodySeen(index) ? [somebody] : [], identities: &numbers)
            return thing.offer.map { (objectID: $0.objectID, box: $0.box) }
        }
    }

    /// A coarse texture, the same in every frame.
    private func wall(_ x: Int, _ y: Int) -> Int { 60 + Pictures.speckle(x / 12, y / 12) / 4 }

    private func block(at left: Int, _ x: Int, _ y: Int) -> Bool { (left..<left + 40).contains(x) && (70..<120).contains(y) }

    @Test("what moves is offered under one number, where it is")
    func moving() throws {
        let found = try offers { x, y, frame in block(at: 60 + 7 * frame, x, y) ? 200 - 40 * (x / 5 % 2) : wall(x, y) }
        #expect(found[1] == nil && found[2] != nil)
        let last = try #require(found[23])
        #expect(Set(found.compactMap { $0?.objectID }) == [1])
        #expect(last.box.contains(CGPoint(x: 241.0 / 320, y: 95.0 / 180)), "\(last.box)")
    }

    @Test("what runs to and fro keeps its number, and its box stays on it")
    func running() throws {
        func left(_ frame: Int) -> Int { 60 + 15 * (frame % 16 < 8 ? frame % 16 : 16 - frame % 16) }
        let found = try offers { x, y, frame in block(at: left(frame), x, y) ? 200 - 40 * (x / 5 % 2) : wall(x, y) }
        #expect(Set(found.compactMap { $0?.objectID }) == [1])
        for frame in 6..<24 {
            let box = try #require(found[frame]).box
            let place = CGRect(x: Double(left(frame)) / 320, y: 70.0 / 180, width: 40.0 / 320, height: 50.0 / 180)
            #expect(box.intersects(place), "frame \(frame): \(box), not \(place)")
        }
    }

    @Test("a place where nothing is left is given up within a second, wherever other things move")
    func left() throws {
        func left(_ frame: Int) -> Int { frame < 8 ? 20 + 3 * (frame % 2) : [140, 200, 260][frame / 4 % 3] + 3 * (frame % 2) }
        let found = try offers { x, y, frame in block(at: left(frame), x, y) ? 200 - 40 * (x / 5 % 2) : wall(x, y) }
        #expect(try #require(found[8]).box.midX < 0.25)
        #expect(try #require(found[23]).box.midX > 0.4 && found[23]?.objectID == 2, "\(found[23]!)")
    }

    @Test("the camera's own motion is none")
    func pan() throws {
        let found = try offers { x, y, frame in block(at: 140 + 2 * frame, x, y) ? 220 : wall(x + 4 * frame + 400, y) }
        let last = try #require(found[23])
        #expect(last.box.overlap(CGRect(x: 186.0 / 320, y: 70.0 / 180, width: 40.0 / 320, height: 50.0 / 180)) > 0.3, "\(last.box)")
    }

    @Test("what stands still is offered when it stands out from the rim")
    func standing() throws {
        let found = try offers { x, y, _ in block(at: 140, x, y) ? 220 : 90 }
        #expect(try #require(found[23]).box.overlap(CGRect(x: 140.0 / 320, y: 70.0 / 180, width: 40.0 / 320, height: 50.0 / 180)) > 0.6)
    }

    @Test("nothing is offered while somebody is seen, nor in an even picture")
    func somebody() throws {
        let found = try offers(isAnybodySeen: { $0 < 12 }) { x, y, frame in block(at: 60 + 7 * frame, x, y) ? 200 - 40 * (x / 5 % 2) : wall(x, y) }
        #expect(found[..<13].allSatisfy { $0 == nil } && found[23] != nil)
        #expect(try offers { _, _, _ in 90 }.allSatisfy { $0 == nil })
    }

    @Test("parts of one thing that stand out one after another are one, parts of two things are two", arguments: [true, false])
    func parts(_ isOneThing: Bool) throws {
        var (thing, numbers) = (ConspicuousThing(), Identities())
        var found: [(group: Int, box: CGRect)] = []
        for index in 0..<40 {
            let isLeft = index < 12
            let picture = try ReducedPicture(
                Pictures.picture(320, 180) { x, y in
                    if block(at: 90, x, y) { return isLeft ? 220 : 135 }
                    if block(at: 190, x, y) { return isLeft ? 135 : 220 }
                    return isOneThing && (130..<190).contains(x) && (80..<110).contains(y) ? 135 : 90
                })
            try thing.step(picture, time: Int64(index) * 100_000_000, seen: [], identities: &numbers)
            if let offer = thing.offer { found.append((offer.groupID, offer.box)) }
        }
        let (first, last) = (try #require(found.first), try #require(found.last))
        #expect(first.box.midX < 0.5 && last.box.midX > 0.5, "\(first.box), \(last.box)")
        #expect(Set(found.map(\.group)).count == (isOneThing ? 1 : 2))
    }

    @Test("a thing and the being that is seen in its place before or after are one subject, and each group is given once")
    func groups() throws {
        var (thing, numbers) = (ConspicuousThing(), Identities())
        let own = numbers.group()
        let place = CGRect(x: 140.0 / 320, y: 70.0 / 180, width: 40.0 / 320, height: 50.0 / 180)
        let picture = try ReducedPicture(Pictures.picture(320, 180, luma: { x, y in block(at: 140, x, y) ? 220 : 90 }))
        func step(_ index: Int, _ seen: [Detection]) throws {
            try thing.step(picture, time: Int64(index) * 100_000_000, seen: seen, identities: &numbers)
        }
        for index in 0..<3 { try step(index, [Detection(objectID: 9, groupID: own, kind: .face, bounds: place)]) }
        for index in 3..<6 { try step(index, []) }
        #expect(thing.offer?.groupID == own)
        #expect(thing.takeGroup(for: CGRect(x: 0.05, y: 0.05, width: 0.1, height: 0.1), body: nil) == nil)
        #expect(thing.takeGroup(for: place, body: nil) == own && thing.takeGroup(for: place, body: nil) == nil)
        // Long after, what stands out there is another subject.
        for index in 6..<40 { try step(index, index < 36 ? [Detection(objectID: 10, kind: .face, bounds: .zero)] : []) }
        #expect(thing.offer.map { $0.groupID != own } == true)
    }
}
