import AVFoundation
import CameraApp
import CoreVideo
import Foundation
import Vision

/// Draws what a cinematic camera shows over its picture: white boxes, dashed yellow for weak focus, solid yellow for strong,
/// and a line with time, f-number and status.
struct Overlay {
    /// Draws into the shot's own picture.
    func draw(_ shot: CinematicCamera.Shot) throws {
        guard let picture = CMSampleBufferGetImageBuffer(shot.sampleBuffer) else { return }
        let canvas = try PictureCanvas(picture)
        let (width, height) = (Double(CVPixelBufferGetWidth(picture)), Double(CVPixelBufferGetHeight(picture)))
        /// One point of a phone's preview, 390 points high.
        let point = height / 390
        for object in shot.objects where CinematicCamera.isShown(object) {
            let bounds = object.bounds
            let box = CGRect(x: bounds.minX * width, y: bounds.minY * height, width: bounds.width * width, height: bounds.height * height)
            switch object.cinematicVideoFocusMode {
            case .weak: try canvas.rectangle(box, color: .yellow, thickness: 2 * point, dashes: [5 * point, 4 * point])
            case .strong: try canvas.rectangle(box, color: .yellow, thickness: 2 * point)
            default: try canvas.rectangle(box, color: .white, thickness: 2 * point)
            }
        }
        try drawStatus(of: shot, on: canvas, point: point, height: height)
    }

    private func drawStatus(of shot: CinematicCamera.Shot, on canvas: PictureCanvas, point: Double, height: Double) throws {
        let seconds = CMSampleBufferGetPresentationTimeStamp(shot.sampleBuffer).seconds
        let focus = shot.objects.first { $0.cinematicVideoFocusMode != .none }
        var words = [String(format: "%06.3f s", seconds), String(format: "f/%.1f", shot.simulatedAperture)]
        switch focus?.cinematicVideoFocusMode {
        case .weak: words.append("weak")
        case .strong: words.append(focus?.isFixedFocus == true ? "fixed" : "strong")
        default: break
        }
        if shot.statuses.contains(.notEnoughLight) { words.append("NOT ENOUGH LIGHT") }
        let line = words.joined(separator: "   ")
        let origin = CGPoint(x: 12 * point, y: height - 24 * point)
        try canvas.text(line, at: origin, height: 11 * point, color: shot.statuses.isEmpty ? .white : .yellow)
    }
}
