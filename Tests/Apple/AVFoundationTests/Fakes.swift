import AVFoundation
import Optics
import Pipeline
import Synchronization

/// Frames of 64 × 36: the frame's index as luma, disparity rising from 0 at the left edge to 1 at the right.
final class CountingSource: FrameSource {
    let description: SourceDescription
    private let next = Mutex(0)
    private let failsAt: Int?
    private let lux: @Sendable (Int) -> Double
    private let isGone: (@Sendable () -> Void)?

    init(
        count: Int, failsAt: Int? = nil, isGone: (@Sendable () -> Void)? = nil, lux: @escaping @Sendable (Int) -> Double = { _ in 200 }
    ) {
        self.isGone = isGone
        description = SourceDescription(
            width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 30), frameCount: count, focalLength: 50)
        self.failsAt = failsAt
        self.lux = lux
    }

    deinit { isGone?() }

    /// Frames asked for up to now.
    var given: Int { next.withLock { $0 } }

    func nextFrame() throws -> Frame? {
        let index = next.withLock { next in
            defer { next += 1 }
            return next
        }
        if index == failsAt { throw FakeFailure(what: "cable cut") }
        guard index < description.frameCount! else { return nil }
        return Self.frame(index: index, lux: lux(index))
    }

    static func frame(index: Int, lux: Double = 200) -> Frame {
        let image = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for y in 0..<36 { image.plane(0).row(y, as: UInt8.self).update(repeating: UInt8(truncatingIfNeeded: 16 + index), count: 64) }
        for y in 0..<18 { image.plane(1).row(y, as: UInt8.self).update(repeating: 128, count: 64) }
        let map = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<36 {
            let row = map.plane(0).row(y, as: Float.self)
            for x in 0..<64 { row[x] = (Float(x) + 0.5) / 64 }
        }
        return Frame(
            index: index, presentationTime: CMTime(value: Int64(index), timescale: 30), image: image,
            disparity: DisparityMap(buffer: map, isMetric: true),
            exposure: Exposure(duration: 0.02, iso: 250 * 4 / (0.02 * lux), fNumber: 2, level: 1))
    }
}

struct FakeFailure: Error, Equatable {
    let what: String
}

/// Sees what it is told to see.
final class ScriptedDetector: SubjectDetector {
    private let script: @Sendable (Int) throws -> [Detection]
    private let found: Detection?
    private let isFound = Mutex(false)

    init(found: Detection? = nil, _ script: @escaping @Sendable (Int) throws -> [Detection]) {
        self.script = script
        self.found = found
    }

    func detections(in frame: Frame, disparity: DisparityMap?) throws -> [Detection] {
        try script(frame.index) + (isFound.withLock { $0 } ? [found!] : [])
    }

    func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) throws -> Detection? {
        isFound.withLock { $0 = found != nil }
        return found
    }
}

/// Gives the picture back and remembers the circles it was asked for.
final class GlassRenderer: BokehRenderer {
    let circles = Mutex<[CircleOfConfusion]>([])
    private let fails: @Sendable (Int) -> Bool

    init(fails: @escaping @Sendable (Int) -> Bool = { _ in false }) { self.fails = fails }

    func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer {
        let count = circles.withLock { circles in
            circles.append(circle)
            return circles.count
        }
        if fails(count - 1) { throw FakeFailure(what: "glass broken") }
        return image
    }
}

/// Moves a finger before given frames, and keeps every record.
final class ScriptedObserver: CaptureObserver {
    let records = Mutex<[FrameRecord]>([])
    let sharpFrames = Mutex<[Int]>([])
    private let before: @Sendable (Int) -> Void

    init(before: @escaping @Sendable (Int) -> Void = { _ in }) { self.before = before }

    func willProcess(_ frame: Frame) { before(frame.index) }
    func didDecide(_ record: FrameRecord) { records.withLock { $0.append(record) } }
    func didPassThrough(_ frame: Frame, because error: any Error) { sharpFrames.withLock { $0.append(frame.index) } }

    var all: [FrameRecord] { records.withLock { $0 } }
}

/// An environment of fakes with one footage camera.
func fakeEnvironment(
    source: CountingSource = CountingSource(count: 10), detector: ScriptedDetector = ScriptedDetector { _ in [] },
    renderer: (any BokehRenderer)? = GlassRenderer(), observer: (any CaptureObserver)? = nil, cameras: [CameraProfile]? = nil
) -> CaptureEnvironment {
    CaptureEnvironment(
        cameras: cameras ?? [.footage(source.description, name: "fake")], renderer: renderer, observer: observer
    ) { _ in CameraFeed(source: source, detector: detector) }
}

/// A shipped camera, which never opens: for tests of the graph alone.
func phoneEnvironment(renderer: (any BokehRenderer)? = GlassRenderer()) -> CaptureEnvironment {
    CaptureEnvironment(cameras: CameraProfile.iPhone14, renderer: renderer) { _ in throw FakeFailure(what: "this camera has no pictures") }
}

func inEnvironment<Result>(_ environment: CaptureEnvironment, _ body: () throws -> Result) rethrows -> Result {
    try CaptureEnvironment.$scoped.withValue(environment, operation: body)
}
