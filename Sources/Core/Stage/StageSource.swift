import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Camera in a synthetic world: sharp frames with exact disparity, exposure and ground truth.
///
///     var world = World()
///     world.subjects = [Subject(name: "maya", kind: .face, placement: Motion(Placement(box: box, depth: 1.4)))]
///     let source = StageSource(world: world)
///     while let frame = try source.nextFrame() { … }
///
/// A camera that is set to fewer frames than the world has, and not to every second or third of them, has them at even times: until it is time for the
/// next one, frames are the last again, for a `FrameGate` to leave out.
///
/// It simulates no lens: blur is the renderer's task. Without pixels (`rendersPixels: false`) the picture is plain grey and the disparity map small
/// and rough, for tests of focus logic; truth and exposure are the same. Exposure, white balance, torch and flash are the camera's.
public final class StageSource: AdjustableSource {
    /// Size, rate, length and focal length of the world's camera.
    public let description: SourceDescription
    private let state: Mutex<State>

    private struct State {
        var world: World
        var next: Int
        /// Time of the first frame, from which the camera's own are counted.
        var start: CMTime?
        var truth: TruthKeeper
        let painter: any FramePainter
        var settings = CameraSettings()
        var still: Still?

        /// Time of the world's frame as the camera takes it.
        mutating func time(of index: Int) -> CMTime {
            let own = world.presentationTime(of: index)
            let start = start ?? own
            self.start = start
            guard let duration = settings.frameDuration else { return own }
            let ratio = duration.seconds / world.frameDuration.seconds
            guard ratio > 1, abs(ratio - ratio.rounded()) > 0.001 else { return own }
            return start + CMTimeMultiply(duration, multiplier: Int32((own - start).seconds / duration.seconds + 1e-6))
        }
    }

    /// Frame repeated until something moves.
    private struct Still {
        let until: Int64
        let frame: Frame
    }

    /// Creates a source of rendered pictures, from frame 0 on.
    public convenience init(world: World) { self.init(world: world, rendersPixels: true) }

    /// Creates a source with or without pixels; `firstFrame` is the index of the first frame. Traps unless the picture's sides are even.
    public init(world: World, rendersPixels: Bool, firstFrame: Int = 0) {
        precondition(world.width > 0 && world.height > 0 && world.width % 2 == 0 && world.height % 2 == 0, "the picture's sides are even")
        description = SourceDescription(
            width: world.width, height: world.height, frameDuration: world.frameDuration,
            frameCount: world.frameCount == .max ? nil : world.frameCount,
            focalLength: world.camera.focalLength)
        let painter: any FramePainter = rendersPixels ? PicturePainter(world: world) : PlainPainter(world: world)
        state = Mutex(State(world: world, next: firstFrame, truth: TruthKeeper(world: world), painter: painter))
    }

    /// World as it is now, edits included.
    public var world: World { state.withLock { $0.world } }

    /// Edits the world for the frames to come; picture size, camera, backdrop and list of subjects stay as they are.
    package func change(_ body: (inout World) -> Void) {
        state.withLock { state in
            body(&state.world)
            state.still = nil
        }
    }

    /// Applies camera settings from the next frame on.
    public func adjust(_ settings: CameraSettings) {
        state.withLock { state in
            guard state.settings != settings else { return }
            (state.settings, state.still) = (settings, nil)
        }
    }

    /// Skips the frames before `index`.
    package func skip(to index: Int) { state.withLock { $0.next = max($0.next, index) } }

    /// Renders the next frame; nil after the world's last.
    public func nextFrame() throws -> Frame? {
        state.withLock { state in
            let world = state.world
            guard state.next < world.frameCount else { return nil }
            let index = state.next
            state.next += 1
            let time = state.time(of: index)
            if let still = state.still, time.nanoseconds < still.until {
                state.truth.repeatLast(at: time.nanoseconds)
                var frame = still.frame
                (frame.index, frame.presentationTime) = (index, time)
                return frame
            }
            let moment = world.moment(at: time)
            let lighting = Lighting(of: moment, wallDepth: world.backdrop.wallDepth, settings: state.settings)
            let exposure = VirtualSensor(world: world).exposure(lux: lighting.metered, metering: state.settings.metering)
            let painting = state.painter.paint(moment, frame: index, exposure: exposure, lighting: lighting)
            let frame = Frame(
                index: index, presentationTime: time, image: painting.image, rightImage: painting.rightImage, disparity: painting.disparity,
                exposure: exposure, gains: state.painter.showsGains ? lighting.gains : nil, isFlashLit: state.settings.firesFlash,
                truth: state.truth.detections(at: moment))
            let until = state.painter.repeatsItself ? world.still(from: moment.time) : moment.time
            state.still = until > moment.time ? Still(until: until, frame: frame) : nil
            return frame
        }
    }
}

/// Pictures and disparity map of one moment.
struct Painting {
    let image: CVPixelBuffer
    let rightImage: CVPixelBuffer?
    let disparity: DisparityMap
}

/// Painter of one moment's pictures and disparity map.
protocol FramePainter: AnyObject, Sendable {
    /// Whether the same moment always gives the same painting: no noise, no motion blur.
    var repeatsItself: Bool { get }
    /// Whether the gains of white balance colour the picture.
    var showsGains: Bool { get }
    func paint(_ moment: Moment, frame: Int, exposure: Exposure, lighting: Lighting) -> Painting
}
