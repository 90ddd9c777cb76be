import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite("A file of detections")
struct DetectionLogTests {
    private static let header = DetectionLog.Header(source: "clip \"1\".mp4", width: 960, height: 540, frameDuration: [1, 30])

    private static func face(_ id: Int, _ x: Double) -> Detection {
        Detection(
            objectID: id, groupID: 2, kind: .face, bounds: CGRect(x: x, y: 1.0 / 3, width: 0.1, height: -0.0 + 0.2), yaw: -35.1, roll: 0.1 + 0.2,
            confidence: 0.7, disparity: 1 / 1.7, label: "maya")
    }

    private static func entry(_ frame: Int, _ detections: [Detection]) -> DetectionLog.Entry {
        let statistics = DisparityStatistics(far: 0.1, median: 1.0 / 7, near: 2)
        return DetectionLog.Entry(frame: frame, time: Int64(frame) * 33_333_333, detections: detections, disparity: statistics)
    }

    @Test("comes back bit for bit")
    func roundTrip() throws {
        var log = DetectionLog(header: Self.header, entries: [Self.entry(0, [Self.face(1, 0.1)]), Self.entry(1, [])])
        log.entries[1].taps = [.init(point: CGPoint(x: 0.1, y: 0.7), found: Self.face(3, -0.2)), .init(point: .zero, found: nil)]
        (log.entries[0].picture, log.entries[0].size) = ("a.jpg", [500, 375])
        (log.header.scenario, log.header.fNumber, log.header.isRecording) = ("take", 1.4, true)
        var capture = DetectionLog.Capture(light: 1.0 / 3, ambient: Double(Float(0.1)))
        let course = RackCourse(begin: 5, over: 7, landing: nil, ease: .inOut)
        capture.calls = [
            .track(objectID: 3, mode: .weak), .trackAt(point: CGPoint(x: 0.1, y: 0.7), mode: .strong), .fixAt(point: .zero, mode: .strong),
            .order(FocusOrder(.point(CGPoint(x: 1, y: 0.5)), mode: .fixed, course: course)),
        ]
        capture.points = [.init(at: .zero, disparity: 1 / 0.7)]
        (capture.isMetric, capture.degradation) = (true, .lensResolution)
        log.entries[0].capture = capture
        #expect(try DetectionLog(Data(log.text.utf8), path: "x.jsonl") == log)
        #expect(log.text.split(separator: "\n").count == 3)
    }

    @Test(
        "a damaged file is refused with file, line and reason",
        arguments: [
            ("nonsense", "x.jsonl:1: this is not the header"),
            (#"{"format":2,"source":"a","width":9,"height":9,"frameDuration":[1,30]}"#, "only format 1 is known"),
            ("HEADER{\"frame\":0,\"time\":0}", "x.jsonl:2: this is not a frame of detections: `detections` is missing"),
            (#"HEADER{"frame":0,"time":0,"detections":[{"id":1,"kind":"fish","box":[0,0,1,1],"confidence":1}]}"#, "there is no kind `fish`"),
            (#"HEADER{"frame":0,"time":0,"detections":[{"id":1,"kind":"face","box":[0,0,1],"confidence":1}]}"#, "a box is [x, y, width, height]"),
            (#"HEADER{"frame":0,"time":0,"detections":[{"id":0,"kind":"face","box":[0,0,1,1],"confidence":1}]}"#, "an id is 1 or more"),
            (#"HEADER{"frame":0,"time":0,"detections":[],"capture":{"light":-1}}"#, "light is 0 lux or more"),
            (#"HEADER{"frame":0,"time":0,"detections":[],"capture":{"ambient":-1}}"#, "a disparity is no -1.0"),
            (#"HEADER{"frame":0,"time":0,"detections":[],"capture":{"points":[{"at":[1e9,0],"disparity":1}]}}"#, "a point is no"),
            (#"HEADER{"frame":0,"time":0,"detections":[],"capture":{"degradation":9}}"#, "this is not a frame of detections"),
            (#"HEADER{"frame":0,"time":5,"detections":[]}\#n{"frame":1,"time":5,"detections":[]}"#, "x.jsonl:3: the frame at 5 ns comes after"),
        ])
    func damaged(text: String, message: String) {
        let text = text.replacing("HEADER", with: Self.header.line)
        #expect {
            try DetectionLog(Data(text.utf8), path: "x.jsonl")
        } throws: {
            "\($0)".contains(message)
        }
    }

    @Test("what a disparity map has that is no number does not count")
    func statistics() {
        let map = DisparityMap(buffer: CVPixelBuffer(width: 4, height: 2, pixelFormat: kCVPixelFormatType_DisparityFloat32))
        func fill(_ values: [Float]) { for y in 0..<2 { for x in 0..<4 { map.row(y)[x] = values[x] } } }
        fill([.nan, 1, 2, .infinity])
        #expect(map.statistics == DisparityStatistics(far: 1, median: 2, near: 2))
        fill([.nan, .nan, .infinity, -.infinity])
        #expect(map.statistics == DisparityStatistics(far: 0, median: 0, near: 0))
    }

    @Test("a recording answers as the detector did, taps too, and refuses frames it never saw")
    func replay() throws {
        let eyes = Eyes()
        let source = SourceDescription(width: 16, height: 16, frameDuration: CMTime(value: 1, timescale: 30))
        let recorder = RecordingDetector(eyes, of: source, named: "test")
        let map = DisparityMap(buffer: CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_DisparityFloat32))
        for y in 0..<2 { map.row(y).update(repeating: 0.5, count: 2) }
        let frames = (0..<3).map {
            Frame(
                index: $0, presentationTime: CMTime(value: Int64($0), timescale: 30),
                image: CVPixelBuffer(width: 16, height: 16, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        }
        let point = CGPoint(x: 0.5, y: 0.25)
        for frame in frames.prefix(2) { _ = try recorder.detections(in: frame, disparity: map) }
        let found = try recorder.salientObject(at: point, in: frames[1], disparity: map)
        let scratch = try Scratch()
        let replay = try RecordedDetector(path: scratch.write(recorder.log.text, to: "detections.jsonl"))
        for frame in frames.prefix(2) { #expect(try replay.detections(in: frame, disparity: map) == eyes.detections(in: frame, disparity: map)) }
        #expect(try replay.salientObject(at: point, in: frames[1], disparity: map) == found)
        #expect(try replay.salientObject(at: point, in: frames[0], disparity: map) == nil)
        #expect {
            try replay.detections(in: frames[2], disparity: map)
        } throws: {
            "\($0)".contains("but the clip goes on: record the whole of it")
        }
    }

    private final class Eyes: SubjectDetector {
        func detections(in frame: Frame, disparity: DisparityMap?) throws -> [Detection] { [DetectionLogTests.face(1, Double(frame.index) / 7)] }
        func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) throws -> Detection? { DetectionLogTests.face(9, point.x) }
    }
}
