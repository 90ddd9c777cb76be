import AVFoundation
import CoreMedia
import Focus
import Foundation
import Media
import Pipeline
import Vision

/// Search for what is at a point of a cinematic movie's picture: a subject, a thing that is tracked from there on, or a surface.
struct PointSearch {
    private let movie: CinematicMovie
    private let models: VisionModels

    /// Frames after which a thing that is not seen again has left: 15.
    private static let patience = 15

    init(_ movie: CinematicMovie, _ models: VisionModels) { (self.movie, self.models) = (movie, models) }

    /// Finding at a point (0…1 of the stored picture) in a frame, for focus that is held in a mode; nil where nothing stands out.
    ///
    /// A subject is taken by its box, as by a tap. Only a surface and a thing are looked for in the pictures.
    func found(at point: CGPoint, in frame: Int, _ mode: FocusOrder.Mode?, _ script: FocusScript) throws -> FocusEdit.Found? {
        if mode != .fixed, let object = script.object(at: point, in: frame) { return .object(object) }
        let source = try CinematicFileSource(movie)
        let half = CMTimeMultiplyByRatio(movie.frameDuration, multiplier: 1, divisor: 2)
        while let next = try source.next()?.frame {
            guard next.presentationTime + half > movie.entries[frame].time, let map = next.disparity else { continue }
            let upright = source.upright(point)
            let surface = map.median(in: CGRect(origin: upright, size: .zero)).map { FocusEdit.Found.surface($0) }
            guard mode != .fixed else { return surface }
            let boxes = try track(at: upright, from: next, numbered: frame, source)
            return boxes.isEmpty ? (mode == nil ? surface : nil) : .track(boxes)
        }
        return nil
    }

    private func track(at point: CGPoint, from first: Frame, numbered frame: Int, _ source: CinematicFileSource) throws -> [FocusEdit.TrackedBox] {
        let detector = try VisionDetector(models: models)
        guard let map = first.disparity else { return [] }
        _ = try detector.detections(in: first, disparity: map)
        guard let thing = try detector.salientObject(at: point, in: first, disparity: map) else { return [] }
        var boxes = [box(map.measured(thing), frame, source)]
        var number = frame + 1
        while let next = try source.next()?.frame, let map = next.disparity, number - boxes[boxes.count - 1].frame <= Self.patience {
            if let seen = try detector.detections(in: next, disparity: map).first(where: { $0.objectID == thing.objectID }) {
                boxes.append(box(map.measured(seen), number, source))
            }
            number += 1
        }
        return boxes
    }

    private func box(_ detection: Detection, _ frame: Int, _ source: CinematicFileSource) -> FocusEdit.TrackedBox {
        FocusEdit.TrackedBox(frame: frame, bounds: source.stored(detection.bounds), disparity: detection.disparity)
    }
}
