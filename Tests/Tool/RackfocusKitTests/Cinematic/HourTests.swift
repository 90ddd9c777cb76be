import Cinematic
import CoreMedia
import CoreVideo
import Foundation
import Media
import Optics
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

/// `RACKFOCUS_HOUR_FRAMES=108000` records so many frames; 108,000 are an hour at 30 a second.
@Suite("An hour of cinematic recording", .serialized)
struct HourTests {
    private static let frames = ProcessInfo.processInfo.environment["RACKFOCUS_HOUR_FRAMES"].flatMap(Int.init)
    private static let (width, height) = (64, 36)

    @Test(
        "takes bounded memory, seeks at once and is inspected at once",
        .enabled(if: frames != nil, "set RACKFOCUS_HOUR_FRAMES to the number of frames"))
    func hour() throws {
        let scratch = try Scratch()
        let frames = try #require(Self.frames)
        try Self.record(frames, to: scratch("hour.mov"))
        let clock = ContinuousClock()
        var lines: [String] = []
        func timed<Value>(_ name: String, limit: Double, _ body: () throws -> Value) throws -> Value {
            let start = clock.now
            let value = try body()
            let seconds = (clock.now - start) / .seconds(1)
            lines.append(String(format: "%@ %.3f s", name, seconds))
            #expect(seconds < limit, "\(name): \(seconds) s")
            return value
        }
        let inspected = try timed("inspect", limit: 1) { try ToolRun(["inspect", scratch("hour.mov")]) }
        #expect(inspected.exitCode == 0 && inspected.output.contains("\(frames) frames of 64x36"), "\(inspected.errors)")
        let times = try CNScript.open(scratch("hour.mov")).times
        let source = try timed("open", limit: 1) { try CinematicFileSource(path: scratch("hour.mov")) }
        for share in [0.999, 0.5, 0.1, 0.75, 0.0, 0.33] {
            let number = Int(share * Double(frames - 1))
            try timed("seek to frame \(number)", limit: 0.2) {
                try source.seek(to: number, at: times[number])
                #expect(try source.next()?.frame.index == number)
            }
        }
        print(lines.joined(separator: "\n"), "\nmemory at most \(Self.mostBytes >> 20) MiB")
    }

    /// Records in fragments, as a file output does, and checks that memory does not grow after the first tenth.
    private static func record(_ frames: Int, to path: String) throws {
        var movie = MovieDescription(width: width, height: height, frameDuration: CMTime(value: 1, timescale: 30), fragments: .every(.invalid))
        movie.cinematic = .init(width: width, height: height)
        movie.sound = .init(layout: .stereo, sampleRate: 48_000)
        let writer = try MovieFileWriter(path: path, movie: movie, settings: .init(preset: .ultrafast))
        var early = 0
        for index in 0..<frames {
            let time = CMTime(value: Int64(index), timescale: 30)
            try writer.append(picture(index), with: cinematic(index), at: time)
            let sound = Sound(presentationTime: time, sampleRate: 48_000, layout: .stereo, samples: [Float](repeating: 0.01, count: 3200))
            try writer.append(sound)
            if index == frames / 10 { early = residentBytes }
        }
        let late = residentBytes
        print("recording: \(early >> 20) MiB after a tenth, \(late >> 20) MiB at the end")
        #expect(late - early < 32 << 20, "\(early) bytes after a tenth, \(late) at the end")
        try writer.finish()
    }

    private static func picture(_ index: Int) -> CVPixelBuffer {
        let picture = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for y in 0..<height { for x in 0..<width { picture.plane(0).row(y, as: UInt8.self)[x] = UInt8(40 + (x + 2 * y + index) % 160) } }
        for y in 0..<height / 2 { picture.plane(1).row(y, as: UInt8.self).update(repeating: 128, count: width) }
        return picture
    }

    private static func cinematic(_ index: Int) -> CinematicFrame {
        let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<height { for x in 0..<width { buffer.plane(0).row(y, as: Float.self)[x] = 0.2 + Float((x + index) % 64) / 128 } }
        let map = DisparityMap(buffer: buffer, isMetric: true)
        let people = (1...3).map {
            Detection(
                objectID: $0, groupID: $0, kind: .face, bounds: CGRect(x: 0.2 * Double($0), y: 0.3, width: 0.1, height: 0.2), yaw: 3, roll: 0,
                disparity: 0.3 * Double($0), label: "person \($0)")
        }
        let subject = 1 + index / 300 % 3
        var focus = FocusState(focusDisparity: 0.3 * Double(subject))
        (focus.subject, focus.mode) = (subject, .weak)
        var sample = CinematicSample(
            lens: Lens(focalLength: 50, fNumber: 2), sensorWidth: width, disparity: DisparityCoding(of: map), focus: focus, detections: people)
        if index % 300 == 0 {
            sample.decisions = [
                FocusDecision(
                    time: Int64(index) * 33_333_333, subject: subject, mode: .weak, isUserDecision: false, isFixed: false, why: .moreProminent,
                    disparity: 0.3 * Double(subject))
            ]
        }
        return CinematicFrame(sample: sample, disparity: map)
    }

    private static var residentBytes: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
    }

    private static var mostBytes: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss << 10
    }
}
