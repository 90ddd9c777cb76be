import AVFoundation
import CameraApp
import CoreMedia
import CoreVideo
import Foundation
import Optics
import Pipeline
import Vision

/// Draws what a cinematic camera shows over its picture: white boxes, dashed yellow for weak focus, solid yellow for strong,
/// and a line with time, f-number and status.
struct Overlay {
    /// Rectangle around an object.
    private struct Box {
        var bounds: CGRect
        var mode: FocusMode
        var isFixed: Bool
    }

    /// Draws the objects of a shot into a picture.
    func draw(_ shot: CinematicCamera.Shot, on picture: CVPixelBuffer) throws {
        let boxes = shot.objects.filter(CinematicCamera.isShown).map {
            Box(bounds: $0.bounds, mode: FocusMode($0.cinematicVideoFocusMode), isFixed: $0.isFixedFocus)
        }
        try draw(
            boxes, at: CMSampleBufferGetPresentationTimeStamp(shot.sampleBuffer), fNumber: Double(shot.simulatedAperture),
            isDark: shot.statuses.contains(.notEnoughLight), on: picture)
    }

    /// Draws the objects of a cinematic movie's frame into its picture, those that an app would have been told of.
    func draw(_ sample: CinematicSample, at time: CMTime, on picture: CVPixelBuffer) throws {
        let reported = ReportedObjects(sample.detections, subject: sample.focus.subject)
        let boxes = reported.detections.filter { ![.humanBody, .catBody, .dogBody].contains($0.kind) }.map { detection in
            let isSubject = detection.objectID == reported.subject
            return Box(bounds: detection.bounds, mode: isSubject ? sample.focus.mode : .none, isFixed: isSubject && sample.focus.isFixed)
        }
        try draw(boxes, at: time, fNumber: sample.lens.fNumber, isDark: sample.notEnoughLight, on: picture)
    }

    private func draw(_ boxes: [Box], at time: CMTime, fNumber: Double, isDark: Bool, on picture: CVPixelBuffer) throws {
        let canvas = try PictureCanvas(picture)
        let (width, height) = (Double(CVPixelBufferGetWidth(picture)), Double(CVPixelBufferGetHeight(picture)))
        /// One point of a phone's preview, whose short side has 390.
        let point = min(width, height) / 390
        for box in boxes {
            let bounds = box.bounds
            let place = CGRect(x: bounds.minX * width, y: bounds.minY * height, width: bounds.width * width, height: bounds.height * height)
            switch box.mode {
            case .weak: try canvas.rectangle(place, color: .yellow, thickness: 2 * point, dashes: [5 * point, 4 * point])
            case .strong: try canvas.rectangle(place, color: .yellow, thickness: 2 * point)
            case .none: try canvas.rectangle(place, color: .white, thickness: 2 * point)
            }
        }
        var words = [String(format: "%06.3f s", time.seconds), String(format: "f/%.1f", fNumber)]
        switch boxes.first(where: { $0.mode != .none }) {
        case let focus? where focus.mode == .weak: words.append("weak")
        case let focus?: words.append(focus.isFixed ? "fixed" : "strong")
        case nil: break
        }
        if isDark { words.append("NOT ENOUGH LIGHT") }
        let line = words.joined(separator: "   ")
        let origin = CGPoint(x: 12 * point, y: height - 24 * point)
        let room = width - 2 * origin.x
        let size = try 11 * point * min(1, room / PictureCanvas.textWidth(line, height: 11 * point))
        try canvas.text(line, at: origin, height: size, color: isDark ? .yellow : .white)
    }
}
