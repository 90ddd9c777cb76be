import CoreVideo
import Foundation
import Pipeline
import Vision

/// Draws detections over a picture: a box each, and kind, number, group and where it looks.
enum DetectionDrawing {
    /// Far apart from each other and from most pictures; a group keeps its colour.
    private static let colors = [
        PictureCanvas.Color(red: 1, green: 0.84, blue: 0.04), .init(red: 0.2, green: 0.85, blue: 1), .init(red: 1, green: 0.35, blue: 0.75),
        .init(red: 0.45, green: 1, blue: 0.4), .init(red: 1, green: 0.55, blue: 0.2), .init(red: 0.75, green: 0.6, blue: 1),
    ]

    static func draw(_ detections: [Detection], on picture: CVPixelBuffer) throws {
        let canvas = try PictureCanvas(picture)
        let (width, height) = (Double(CVPixelBufferGetWidth(picture)), Double(CVPixelBufferGetHeight(picture)))
        let line = max(1, height / 270)
        for detection in detections {
            let color = colors[(detection.groupID >= 1 ? detection.groupID : detection.objectID) % colors.count]
            let bounds = detection.bounds
            let box = CGRect(x: bounds.minX * width, y: bounds.minY * height, width: bounds.width * width, height: bounds.height * height)
            try canvas.rectangle(box, color: color, thickness: line)
            var words = "\(detection.kind.rawValue) \(detection.objectID)"
            if let yaw = detection.yaw { words += String(format: " %+.0f", yaw) }
            let at = CGPoint(x: box.minX + 2 * line, y: max(box.minY, 0) + 2 * line)
            let size = max(9, height / 36)
            let width = try PictureCanvas.textWidth(words, height: size)
            canvas.fill(CGRect(x: at.x - line, y: at.y - line, width: width + 2 * line, height: size * 1.4), color: .black, opacity: 0.55)
            try canvas.text(words, at: at, height: size, color: color)
        }
    }
}
