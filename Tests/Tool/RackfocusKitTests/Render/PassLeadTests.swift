import CoreMedia
import Foundation
import Pipeline
import Support
import Synchronization
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("Passes over footage behind one another")
struct PassLeadTests {
    /// Runs a leader over `times` (ns), which settles each frame `delay` later, and a follower; the most that the leader was ahead.
    private func run(_ times: [Int64], delay: Int64, most: Int64, failing failure: Int? = nil) throws -> (followed: [Int64], ahead: Int64) {
        let lead = PassLead(most: most)
        let at = Mutex<(leader: Int64, follower: Int64, ahead: Int64)>((0, 0, 0))
        let leader = Thread(named: "leader") {
            for (index, time) in times.enumerated() {
                if index == failure { return lead.finish(CocoaError(.fileReadUnknown)) }
                at.withLock { $0 = (time, $0.follower, max($0.ahead, time - $0.follower)) }
                lead.settle(through: times.last { $0 <= time - delay }, at: time)
            }
            lead.finish()
        }
        leader.start()
        var (followed, last) = ([Int64](), Int64?.none)
        for time in times {
            try lead.wait(after: last)
            let isSettled = at.withLock { at in
                at.follower = time
                return at.leader >= min(time + delay, times.last!)
            }
            #expect(isSettled)
            followed.append(time)
            last = time
        }
        return (followed, at.withLock { $0.ahead })
    }

    @Test("the follower gets every frame once it is settled, and the leader stays as near as it may")
    func follows() throws {
        let times = (0..<400).map { Int64($0) * 10 }
        let (followed, ahead) = try run(times, delay: 200, most: 300)
        #expect(followed == times && ahead <= 320)
    }

    @Test("frames further apart than the leader may be ahead stop nobody")
    func gaps() throws {
        let times: [Int64] = [0, 10, 5000, 5010, 20_000, 60_000, 60_010]
        #expect(try run(times, delay: 200, most: 300).followed == times)
    }

    @Test("what the leader fails by reaches the follower where it comes to")
    func fails() {
        #expect(throws: CocoaError.self) { try run((0..<50).map { Int64($0) * 10 }, delay: 50, most: 100, failing: 30) }
    }

    @Test("a leader whose follower stops is let go")
    func abandoned() {
        let lead = PassLead(most: 10)
        let done = DispatchSemaphore(value: 0)
        let leader = Thread(named: "leader") {
            for time in 0..<1000 { lead.settle(through: Int64(time), at: Int64(time)) }
            done.signal()
        }
        #expect(!lead.isAbandoned)
        leader.start()
        try? lead.wait(after: nil)
        try? lead.wait(after: 0)
        lead.close()
        #expect(done.wait(timeout: .now() + patience) == .success && lead.isAbandoned)
    }
}

@Suite("Detections of a pass for the next")
struct DetectionTrailTests {
    private final class Played: SubjectDetector {
        let earlier = Mutex<[EarlierDetections]>([])
        let seen: @Sendable (Frame) -> [Detection]
        init(_ seen: @escaping @Sendable (Frame) -> [Detection]) { self.seen = seen }
        func detections(in frame: Frame, disparity: DisparityMap?) -> [Detection] { seen(frame) }
        func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) -> Detection? { nil }
        func takeEarlier() -> [EarlierDetections] {
            earlier.withLock { earlier in
                defer { earlier = [] }
                return earlier
            }
        }
    }

    private static func face(_ id: Int, _ x: Double) -> Detection {
        Detection(objectID: id, kind: .face, bounds: CGRect(x: x, y: 0.2, width: 0.1, height: 0.2))
    }

    private func frame(_ index: Int, shot: Int?) -> Frame {
        var frame = Frame(
            index: index, presentationTime: CMTime(value: Int64(index), timescale: 10),
            image: CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        frame.shot = shot
        return frame
    }

    @Test("piece by piece they are the whole log's, with who a shot opens with and who was found later", arguments: [true, false])
    func pieces(hasShots: Bool) throws {
        let detector = Played { frame in
            let time = frame.index % 50
            return (time > 4 ? [Self.face(1, 0.3)] : []) + (time > 13 ? [Self.face(2, 0.6)] : [])
        }
        let source = SourceDescription(width: 2, height: 2, frameDuration: CMTime(value: 1, timescale: 10))
        let record = RecordingDetector(detector, of: source, named: "a.mp4")
        let trail = DetectionTrail(completesOpenings: true, path: "a.mp4")
        var newest: Int64?
        for index in 0..<130 {
            if [17, 60, 129].contains(index) {
                detector.earlier.withLock { $0 = (1...8).map { .init(time: Int64(index - $0) * 100_000_000, detections: [Self.face(3, 0.5)]) } }
            }
            let frame = frame(index, shot: hasShots ? index / 50 : nil)
            _ = try record.detections(in: frame, disparity: nil)
            newest = trail.advance(record) ?? newest
            #expect(newest.map { frame.presentationTime.nanoseconds - $0 <= DetectionTrail.longest + 100_000_000 } ?? (index < 30))
        }
        _ = trail.advance(record, isOver: true)
        let whole = record.log.completingOpenings()
        #expect(whole != record.log)
        for (index, entry) in whole.entries.enumerated() {
            #expect(try trail.replay.detections(in: frame(index, shot: nil), disparity: nil) == entry.detections, "\(index)")
        }
    }
}
