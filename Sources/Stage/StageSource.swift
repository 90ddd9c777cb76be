import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// The camera in a synthetic world: sharp frames with exact disparity, exposure and truth.
///
///     var world = World()
///     world.subjects = [Subject(name: "maya", kind: .face, placement: Motion(Placement(box: box, depth: 1.4)))]
///     let source = StageSource(world: world)
///     while let frame = try source.nextFrame() { … }
///
/// It simulates no lens: blur is the renderer's work. Without pixels (`rendersPixels: false`) the picture is plain grey and the
/// disparity map small and rough, for tests of focus logic; truth and exposure are the same.
public final class StageSource: FrameSource {
    public let description: SourceDescription
    private let state: Mutex<State>

    private struct State {
        var world: World
        var next: Int
        var truth: TruthKeeper
        let painter: any FramePainter
    }

    public convenience init(world: World) { self.init(world: world, rendersPixels: true) }

    /// `firstFrame`: the index of the frame to begin with.
    public init(world: World, rendersPixels: Bool, firstFrame: Int = 0) {
        precondition(world.width > 0 && world.height > 0 && world.width % 2 == 0 && world.height % 2 == 0, "the picture's sides are even")
        description = SourceDescription(
            width: world.width, height: world.height, frameDuration: world.frameDuration,
            frameCount: world.frameCount == .max ? nil : world.frameCount,
            focalLength: world.camera.focalLength)
        let painter: any FramePainter = rendersPixels ? PicturePainter(world: world) : PlainPainter(world: world)
        state = Mutex(State(world: world, next: firstFrame, truth: TruthKeeper(world: world), painter: painter))
    }

    public var world: World { state.withLock { $0.world } }

    /// Changes what moves, comes, goes and shines in the frames to come; picture, camera, backdrop and cast stay as they are.
    package func change(_ body: (inout World) -> Void) { state.withLock { body(&$0.world) } }

    /// Leaves out the frames before `index`.
    package func skip(to index: Int) { state.withLock { $0.next = max($0.next, index) } }

    public func nextFrame() throws -> Frame? {
        state.withLock { state in
            let world = state.world
            guard state.next < world.frameCount else { return nil }
            let index = state.next
            state.next += 1
            let moment = world.moment(index)
            let exposure = VirtualSensor(world: world).exposure(lux: moment.isCovered ? 0 : moment.lux)
            let painting = state.painter.paint(moment, frame: index, exposure: exposure)
            return Frame(
                index: index, presentationTime: world.presentationTime(of: index), image: painting.image, rightImage: painting.rightImage,
                disparity: painting.disparity, exposure: exposure, truth: state.truth.detections(at: moment))
        }
    }
}

/// Pictures and disparity of one moment.
struct Painting {
    let image: CVPixelBuffer
    let rightImage: CVPixelBuffer?
    let disparity: DisparityMap
}

/// Makes picture and disparity of one moment.
protocol FramePainter: AnyObject, Sendable {
    func paint(_ moment: Moment, frame: Int, exposure: Exposure) -> Painting
}
