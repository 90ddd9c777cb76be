import AVFoundation
import Cinematic
import CoreMedia
import Focus
import Foundation
import Pipeline
import Vision

/// Search for what is at a point of a cinematic movie's picture: a subject, a thing that is tracked from there on, or a surface.
struct PointSearch {
    private let movie: EditedMovie
    private let models: VisionModels

    /// Frames after which a thing that is not seen again has left: 15.
    private static let patience = 15

    init(_ movie: EditedMovie, _ models: VisionModels) { (self.movie, self.models) = (movie, models) }

    /// Finding at a point (0…1 of the stored picture) in a frame, for focus that is held in a mode; nil where nothing stands out.
    ///
    /// A subject is taken by its box, as by a tap. Only a surface and a thing are looked for in the pictures.
    func found(at point: CGPoint, in frame: Int, _ mode: FocusOrder.Mode?, _ script: FocusScript) throws -> FocusEdit.Found? {
        if mode != .fixed, let object = script.object(at: point, in: frame) { return .object(object) }
        let source = try movie.openFrames()
        while let next = try source.next()?.frame {
            guard next.index >= frame, let map = next.disparity else { continue }
            let upright = source.upright(point)
            let surface = map.median(in: CGRect(origin: upright, size: .zero)).map { FocusEdit.Found.surface($0) }
            guard mode != .fixed else { return surface }
            let boxes = try track(at: upright, from: next, numbered: frame, source)
            return boxes.isEmpty ? (mode == nil ? surface : nil) : .track(boxes)
        }
        return nil
    }

    private func track(
        at point: CGPoint, from first: Frame, numbered frame: Int, _ source: any CinematicFrameSource
    ) throws -> [FocusEdit.TrackedBox] {
        var environment = CaptureEnvironment.editing()
        environment.openDetector = { [models] in try VisionDetector(models: models) }
        let tracker = CNObjectTracker(environment)
        guard let map = first.disparity, let thing = try tracker.startTracking(at: point, in: first, map) else { return [] }
        var boxes = [box(thing, frame, source)]
        var number = frame + 1
        while let next = try source.next()?.frame, let map = next.disparity, number - boxes[boxes.count - 1].frame <= Self.patience {
            if let seen = try tracker.continueTracking(in: next, map) { boxes.append(box(seen, number, source)) }
            number += 1
        }
        return boxes
    }

    private func box(_ detection: Detection, _ frame: Int, _ source: any CinematicFrameSource) -> FocusEdit.TrackedBox {
        FocusEdit.TrackedBox(frame: frame, bounds: source.stored(detection.bounds), disparity: detection.disparity)
    }
}
