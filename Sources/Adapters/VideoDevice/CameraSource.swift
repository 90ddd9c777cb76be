import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import Synchronization

/// Frames of a camera at its own pace: `420v` of BT.709, at the driver's times, zero at the first.
///
/// A frame that the driver lost leaves a gap in the numbers. `nextFrame` waits; it throws `VideoDeviceError` when the camera is pulled out, or delivers
/// nothing for two seconds. The stream starts with the first call; `close`, or the end of the source, leaves the camera as it was.
public final class CameraSource: AdjustableSource {
    /// Counts of a running camera.
    public struct Figures: Sendable, Equatable {
        /// Frames delivered.
        public var frames = 0
        /// Frames that the driver had to leave out, because the program was late or the hardware was.
        public var dropped = 0
        /// Frames that came damaged, and were left out.
        public var damaged = 0
        /// Restarts of the stream after an error of the driver.
        public var restarts = 0
    }

    /// Size, rate and colours of the frames to come.
    public let description: SourceDescription
    /// Mode that the camera runs in.
    public let mode: VideoCamera.Mode
    private let camera: VideoCamera
    private let system: any VideoSystem
    private let state: Mutex<State>
    /// Knowledge for others, who must not wait for a frame as the state's lock does.
    private let told = Mutex(Told())

    private struct Told {
        var figures = Figures()
        var zero: Int64?
        var refusals: [String] = []
    }

    /// Reader of what the driver delivers.
    private enum Reader {
        case pictures(PictureReader)
        case depth(DepthReader, blank: CVPixelBuffer)
    }

    private struct State: ~Copyable {
        let stream: CameraStream
        let controls: CameraControls
        let reader: Reader
        var clock: FrameClock
        var isStarted = false
        var isClosed = false
        /// Least time from a frame's timestamp to its arrival, nanoseconds: what exposure and transfer take.
        var transfer = Int64.max
        /// Monotonic nanoseconds since which the flash is lit; nil while it is dark.
        var flash: Int64?
        /// Exposure of the last frames, read a few times a second.
        var exposure: (duration: Double, iso: Double)?
    }

    /// Milliseconds without a picture after which the camera is taken to hang: two seconds, and more for very slow rates.
    private let patience: Int32

    /// Opens a camera for pictures of a size; of its rates the nearest that is not slower than asked for, where there is one.
    public convenience init(_ camera: VideoCamera, width: Int, height: Int, frameDuration: CMTime) throws(VideoDeviceError) {
        try self.init(camera, width: width, height: height, frameDuration: frameDuration, in: KernelVideo())
    }

    package init(_ camera: VideoCamera, width: Int, height: Int, frameDuration: CMTime, in system: any VideoSystem) throws(VideoDeviceError) {
        guard let mode = camera.mode(width: width, height: height, frameDuration: frameDuration) else {
            let sizes = camera.sizes.map { "\($0.width)x\($0.height)" }.joined(separator: ", ")
            throw VideoDeviceError(.unsupported, camera.path, "has no pictures of \(width)x\(height); it has \(sizes)")
        }
        let stream = try CameraStream(camera, mode: mode, frameDuration: frameDuration, system: system)
        (self.camera, self.mode, self.system) = (camera, mode, system)
        description = SourceDescription(width: width, height: height, frameDuration: stream.frameDuration)
        patience = Int32(min(max(2000, stream.frameDuration.seconds * 10_000), 600_000))
        let reader: Reader =
            mode.pixelFormat == .z16
            ? .depth(DepthReader(stream.format), blank: Self.blank(width: width, height: height))
            : .pictures(try PictureReader(stream.format, path: camera.path))
        state = Mutex(
            State(
                stream: stream, controls: CameraControls(of: camera, node: stream.node), reader: reader,
                clock: FrameClock(frameDuration: stream.frameDuration)))
    }

    deinit { close() }

    /// Monotonic nanoseconds of time zero of the frames; nil before the first.
    public var zero: Int64? { told.withLock { $0.zero } }

    /// Path of the camera's node.
    public var device: String { camera.path }

    /// Whether frames are of a depth camera: a map in metres, `DisparityMap.isMetric`, and a picture without content.
    public var isDepth: Bool { mode.pixelFormat == .z16 }

    /// Counts so far.
    public var figures: Figures { told.withLock { $0.figures } }

    /// Losses and refused settings so far, a line for each.
    public var remarks: [String] {
        let (figures, refusals) = told.withLock { ($0.figures, $0.refusals) }
        var lines: [String] = []
        if figures.dropped > 0 { lines.append("\(figures.dropped.counted("frame")) of the camera lost: the machine was too slow, or the camera was") }
        if figures.damaged > 0 { lines.append("\(figures.damaged.counted("damaged frame")) of the camera left out") }
        if figures.restarts > 0 { lines.append("the camera's driver failed \(figures.restarts.counted("time")) and was started anew") }
        return lines + refusals
    }

    /// Applies settings that the camera has controls for. A flash is the torch at its brightest, until a frame was exposed in its light.
    public func adjust(_ settings: CameraSettings) {
        state.withLock { state in
            guard !state.isClosed else { return }
            if settings.firesFlash, camera.abilities.contains(.torch) { state.flash = state.flash ?? system.now }
            var settings = settings
            settings.firesFlash = state.flash != nil
            state.controls.apply(settings)
            let refusals = state.controls.remarks
            told.withLock { $0.refusals = refusals }
        }
    }

    /// Waits for the next frame; nil once the source is closed.
    public func nextFrame() throws -> Frame? {
        try state.withLock { state throws(VideoDeviceError) -> Frame? in
            guard !state.isClosed else { return nil }
            if !state.isStarted {
                state.isStarted = true
                state.controls.steadyLight()
                state.controls.steadyRate()
                try state.stream.start()
            }
            var failures = 0
            while true {
                let captured: CameraStream.Captured?
                do throws(VideoDeviceError) { captured = try state.stream.next(milliseconds: patience) } catch {
                    failures += 1
                    guard error.code == .failed, failures < 3 else { throw error }
                    try state.stream.restart()
                    told.withLock { $0.figures.restarts += 1 }
                    continue
                }
                guard let captured else {
                    throw VideoDeviceError(.noFrames, camera.path, "\(camera.name) has delivered no picture for \(patience / 1000) s")
                }
                if let frame = try self.frame(captured, &state, now: system.now) { return frame }
            }
        }
    }

    /// Frame of a captured picture, whose buffer goes back to the driver; nil for a damaged one.
    private func frame(_ captured: CameraStream.Captured, _ state: inout State, now: Int64) throws(VideoDeviceError) -> Frame? {
        let (picture, map) = captured.isDamaged ? (nil, nil) : Self.read(captured.picture, state.reader)
        try state.stream.release(captured)
        let (index, time, lost) = state.clock.place(sequence: captured.sequence, timestamp: captured.timestamp)
        let count = told.withLock { told in
            told.zero = told.zero ?? captured.timestamp
            told.figures.dropped += lost
            if picture == nil { told.figures.damaged += 1 } else { told.figures.frames += 1 }
            return told.figures.frames
        }
        guard let picture else { return nil }
        // Its exposure began a frame's duration before the timestamp at the earliest.
        let isLit = state.flash.map { captured.timestamp - $0 > 2 * description.frameDuration.nanoseconds } ?? false
        if isLit { state.flash = nil }
        if count % Self.exposureInterval == 1 { state.exposure = state.controls.exposure }
        let exposure = state.exposure.map {
            Exposure(duration: $0.duration, iso: $0.iso, fNumber: Self.fNumber, level: Self.level(of: picture))
        }
        var frame = Frame(
            index: index, presentationTime: CMTime(value: time / 1000, timescale: 1_000_000), image: picture, disparity: map, exposure: exposure,
            isFlashLit: isLit)
        state.transfer = min(state.transfer, now - captured.timestamp)
        frame.dueDate = Date(timeIntervalSinceNow: Double(captured.timestamp + state.transfer - now) / 1e9)
        return frame
    }

    /// Picture and, of a depth camera, map; no picture of what came damaged.
    private static func read(_ source: PictureReader.Source, _ reader: Reader) -> (CVPixelBuffer?, DisparityMap?) {
        switch reader {
        case .pictures(let reader): return (reader.read(source), nil)
        case .depth(let reader, let blank):
            let map = reader.read(source)
            return (map == nil ? nil : blank, map)
        }
    }

    private static func blank(width: Int, height: Int) -> CVPixelBuffer {
        CVPixelBufferPool(width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange).makeBuffer()
    }

    private static let exposureInterval = 8
    /// F-number that a webcam's lens is taken for.
    private static let fNumber = 2.0

    /// Brightness against the mean of a well exposed picture, 18 % of white in linear light; at most 1.
    private static func level(of picture: CVPixelBuffer) -> Double {
        let luma = picture.plane(0)
        let (rows, columns) = (stride(from: 4, to: luma.height, by: 16), stride(from: 4, to: luma.width, by: 16))
        var (sum, count) = (0, 0)
        for y in rows {
            let row = luma.row(y, as: UInt8.self)
            for x in columns { (sum, count) = (sum + max(Int(row[x]) - 16, 0), count + 1) }
        }
        guard count > 0 else { return 1 }
        return min(1, pow(Double(sum) / Double(count) / 219, 2.2) / 0.18)
    }

    /// Stops the stream and leaves format, rate and controls as they were; frames end.
    public func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            state.controls.restore()
            state.stream.stop()
        }
    }
}
