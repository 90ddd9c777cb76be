import Foundation
import Pipeline
import Testing

@Suite("Openings of shots in a log of detections")
struct ShotOpeningTests {
    private static func face(_ id: Int, _ x: Double, group: Int = -1) -> Detection {
        Detection(objectID: id, groupID: group, kind: .face, bounds: CGRect(x: x, y: 0.2, width: 0.1, height: 0.2))
    }

    /// Frames 0.1 s apart, each with its shot and detections.
    private static func log(_ frames: [(Int?, [Detection])]) -> DetectionLog {
        let entries = frames.enumerated().map { index, frame in
            DetectionLog.Entry(frame: index, time: Int64(index) * 100_000_000, detections: frame.1, shot: frame.0)
        }
        return DetectionLog(header: .init(source: "a.mp4", width: 64, height: 36, frameDuration: [1, 10]), entries: entries)
    }

    @Test("somebody seen soon after a cut is there from the cut on, not before")
    func cut() {
        let (singer, pianist) = (Self.face(1, 0.3), Self.face(2, 0.6))
        let log = Self.log([(0, [singer]), (0, [singer]), (1, []), (1, []), (1, [pianist])]).completingOpenings()
        #expect(log.entries.map { $0.detections.map(\.objectID) } == [[1], [1], [2], [2], [2]])
        #expect(log.entries.map { $0.detections.map(\.isExtrapolated) } == [[false], [false], [true], [true], [false]])
        #expect(log.entries[2].detections[0].bounds == pianist.bounds)
    }

    @Test("who is found late is added to the frames of those times, instead of a thing offered while nobody was seen")
    func earlier() {
        let thing = Detection(objectID: 1, kind: .salientObject, bounds: CGRect(x: 0.5, y: 0.5, width: 0.1, height: 0.1), salience: 0.5)
        var log = Self.log([(0, []), (0, [thing]), (0, [Self.face(2, 0.4)])])
        log.entries.add([
            EarlierDetections(time: 100_000_000, detections: [Self.face(2, 0.3)]), EarlierDetections(time: 0, detections: [Self.face(2, 0.2)]),
            EarlierDetections(time: 50_000_000, detections: [Self.face(2, 0.1)]),
        ])
        #expect(log.entries.map(\.detections) == [[Self.face(2, 0.2)], [Self.face(2, 0.3)], [Self.face(2, 0.4)]])
    }

    @Test("who was carried elsewhere than where later detections say is put right")
    func corrected() {
        var log = Self.log([(0, [Self.face(1, 0.1), Self.face(2, 0.8)])])
        log.entries.add([EarlierDetections(time: 0, detections: [Self.face(2, 0.4)])])
        #expect(log.entries[0].detections == [Self.face(1, 0.1), Self.face(2, 0.4)])
    }

    @Test("who comes in from a side, a thing, and a part of somebody known begin where they are seen")
    func leftAlone() {
        let (known, head) = (
            Self.face(1, 0.3, group: 1), Detection(objectID: 2, groupID: 1, kind: .humanHead, bounds: CGRect(x: 0.3, y: 0.1, width: 0.2, height: 0.4))
        )
        let thing = Detection(objectID: 3, kind: .salientObject, bounds: CGRect(x: 0.5, y: 0.5, width: 0.1, height: 0.1))
        let log = Self.log([(0, [known]), (0, [known, head, thing, Self.face(4, 0.01)])])
        #expect(log.completingOpenings() == log)
    }

    @Test("a body that only follows from a face may reach an edge: nobody comes in there; one that was seen says so")
    func derivedBody() {
        let box = CGRect(x: 0.2, y: 0.1, width: 0.8, height: 0.9)
        func opening(isExtrapolated: Bool) -> [Int] {
            var body = Detection(objectID: 2, groupID: 1, kind: .humanBody, bounds: box)
            body.isExtrapolated = isExtrapolated
            return Self.log([(0, []), (0, [Self.face(1, 0.5, group: 1), body])]).completingOpenings().entries[0].detections.map(\.objectID)
        }
        #expect(opening(isExtrapolated: true) == [1, 2])
        #expect(opening(isExtrapolated: false) == [])
    }

    @Test("who is seen later than a second after the cut came later")
    func late() {
        let log = Self.log(Array(repeating: (0, []), count: 12) + [(0, [Self.face(1, 0.3)])])
        #expect(log.completingOpenings() == log)
        #expect(Self.log([]).completingOpenings().entries.isEmpty)
    }
}
