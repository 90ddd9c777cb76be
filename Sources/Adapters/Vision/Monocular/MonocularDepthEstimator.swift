import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import Synchronization

/// Disparity of plain video: people as far away as the sizes of their faces say, one surface each, on a ground before what is far, or in what a
/// depth network takes the picture for.
public final class MonocularDepthEstimator: MonocularEstimator {
    /// Time of a shot that is looked at ahead, backwards, and least time between two pictures of that, ns.
    private static let (ahead, step): (Int64, Int64) = (1_000_000_000, 60_000_000)
    /// Pixels of a network's map.
    private static let mapWidth = 320

    /// The first conversion to CIE Lab, for which OpenCV computes its tables: .1 s, which no frame has to wait for beside the start.
    private static let firstTones = ConcurrentTask { () throws(VisionError) in try Raster(width: 4, height: 4, channels: 3).lab() }

    private let usesNetwork: Bool
    private let state: Mutex<State>
    private let pictures = Mutex((shot: Int?.none, shown: ScenePictures()))
    /// Pictures whose maps are to come.
    private let prepared = Mutex<[ScenePicture]>([])

    private struct State {
        var people: PersonList
        var scene = LayeredScene()
        var figures = FigureFinder()
        var graphics = ScreenGraphics()
        var network: RelativeDepth?
        var shot: Int?

        /// Forgets all before the first picture of a shot.
        mutating func begin(_ shot: Int?) {
            guard shot != self.shot else { return }
            people.forget()
            scene = LayeredScene()
            figures = FigureFinder()
            graphics.forget()
            network?.forget()
            self.shot = shot
        }

        /// Takes in a picture with what was detected in it; `aspect` is the frame's height by its width.
        mutating func follow(_ picture: ScenePicture, _ detections: [Detection], aspect: Double) throws(VisionError) {
            let seen = try figures.added(to: detections, in: picture)
            people.step(seen, at: picture.time, aspect: aspect)
            try scene.follow(picture, detections: seen, people: &people)
        }
    }

    /// `focalLength` in picture widths; 26/36 is a phone's main camera. `model` is the path of a depth network; throws `VisionError` when the
    /// file is none.
    public init(focalLength: Double = 26.0 / 36, model: String? = nil) throws {
        usesNetwork = model != nil
        if model == nil { _ = Self.firstTones }
        state = Mutex(State(people: PersonList(focalLength: focalLength), network: try model.map { try RelativeDepth(model: $0) }))
    }

    /// A network looks at the picture itself.
    public var preparesAll: Bool { !usesNetwork }

    /// Reduces a frame's picture and measures its motion.
    public func prepare(_ frame: Frame) throws {
        guard !usesNetwork else { return }
        let picture = try next(frame)
        prepared.withLock { $0.append(picture) }
    }

    /// A second; a network looks at each picture by itself, and needs none.
    public var opening: Int64 { usesNetwork ? 0 : Self.ahead }

    /// Looks at a shot's first second backwards, so that who is in its first picture is cut out there. Throws `VisionError`.
    public func open(_ frames: [(frame: Frame, detections: [Detection])]) throws {
        guard let first = frames.first?.frame else { return }
        let aspect = Double(first.image.size.height) / Double(first.image.size.width)
        let pictures = prepared.withLock { $0 }
        try state.withLock { state in
            state.begin(first.shot)
            let start = first.presentationTime.nanoseconds
            let settled = frames.map { $0.frame.presentationTime.nanoseconds }.filter { $0 >= start + ScreenGraphics.settling }
            let times = Set([settled.first, settled.last].compactMap { $0 })
            state.graphics.look(at: pictures.filter { times.contains($0.time) }.map(\.guide))
            var reversed = ReversedPictures(from: start, step: Self.step)
            for (frame, detections) in frames.reversed() {
                let time = frame.presentationTime.nanoseconds
                guard let ahead = pictures.first(where: { $0.time == time }), let picture = try reversed.next(ahead) else { continue }
                try state.follow(picture, detections, aspect: aspect)
            }
            state.people.beginAgain()
            state.scene.forgetPlate()
        }
    }

    private func next(_ frame: Frame) throws -> ScenePicture {
        Self.firstTones.join()
        return try pictures.withLock { pictures in
            if frame.shot != pictures.shot { pictures = (frame.shot, ScenePictures()) }
            return try pictures.shown.next(frame)
        }
    }

    /// Relative disparity of a frame from its own detections; a map at most 640 wide, nearer is larger. Throws `VisionError`.
    public func disparity(of frame: Frame, detections: [Detection]) throws -> DisparityMap {
        let size = frame.image.size
        return try state.withLock { state in
            state.begin(frame.shot)
            let (time, aspect) = (frame.presentationTime.nanoseconds, Double(size.height) / Double(size.width))
            guard state.network != nil else {
                let ahead = prepared.withLock { $0.first?.time == time ? $0.removeFirst() : nil }
                let picture = try ahead ?? next(frame)
                try state.follow(picture, detections, aspect: aspect)
                state.graphics.see(picture.guide)
                return state.scene.map(of: picture, people: state.people, before: state.graphics.mask)
            }
            state.people.step(detections, at: time, aspect: aspect)
            let width = min(Self.mapWidth, size.width)
            let height = max(1, Int((Double(size.height) * Double(width) / Double(size.width)).rounded()))
            let guide = try Raster(lumaOf: frame.image, width: width, height: height)
            let known = state.people.people.map { (place: $0.face, disparity: $0.disparity) }
            return DisparityMap(try state.network!.values(of: frame.image, along: guide, known: known), width: width, height: height)
        }
    }
}
