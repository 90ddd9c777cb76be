import AVFCapture
import CoreMedia
import CoreVideo
import Foundation

/// Compositor of a composition that names none: it draws the layers of its instruction over each other, sampled bilinearly.
final class LayerCompositor: NSObject, AVVideoCompositing {
    let sourcePixelBufferAttributes: [String: any Sendable]? = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
    let requiredPixelBufferAttributesForRenderContext: [String: any Sendable] = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
    ]

    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}

    func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
        guard let instruction = request.videoCompositionInstruction as? AVVideoCompositionInstruction,
            let output = request.renderContext.newPixelBuffer()
        else {
            return request.finish(
                with: AVError(
                    .invalidVideoComposition, reason: "instructions of an app's own want a customVideoCompositorClass that knows them"))
        }
        output.fill(with: instruction.backgroundColor)
        let time = request.compositionTime
        for layer in instruction.layerInstructions.reversed() {
            guard let picture = request.sourceFrame(byTrackID: layer.trackID) else { continue }
            let map = layer.transform(at: time).concatenating(request.renderContext.renderTransform)
            output.draw(picture, map, opacity: layer.opacity(at: time), within: layer.crop(at: time))
        }
        request.finish(withComposedVideoFrame: output)
    }
}

extension CVBuffer {
    /// Fills a `BGRA` picture with a colour; nil is black.
    fileprivate func fill(with color: CGColor?) {
        let parts = (color?.rgba ?? [0, 0, 0, 1]).map { UInt8(min(max($0, 0), 1) * 255) }
        for y in 0..<size.height {
            let row = plane(0).row(y, as: UInt8.self)
            for x in 0..<size.width { (row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]) = (parts[2], parts[1], parts[0], 255) }
        }
    }

    /// Draws a `BGRA` picture into this one, by a map from its pixels to these.
    fileprivate func draw(_ picture: CVPixelBuffer, _ map: CGAffineTransform, opacity: Float, within crop: CGRect) {
        let source = CGRect(x: 0, y: 0, width: picture.size.width, height: picture.size.height).intersection(crop)
        guard abs(map.a * map.d - map.b * map.c) > 1e-9, opacity > 0, !source.isEmpty else { return }
        let back = map.inverted()
        let target = source.applying(map).intersection(CGRect(x: 0, y: 0, width: size.width, height: size.height))
        guard !target.isEmpty else { return }
        let from = picture.plane(0)
        let (right, bottom) = (picture.size.width - 1, picture.size.height - 1)
        for y in Int(target.minY)..<min(Int(target.maxY.rounded(.up)), size.height) {
            let row = plane(0).row(y, as: UInt8.self)
            for x in Int(target.minX)..<min(Int(target.maxX.rounded(.up)), size.width) {
                let (centreX, centreY) = (CGFloat(x) + 0.5, CGFloat(y) + 0.5)
                let (u, v) = (back.a * centreX + back.c * centreY + back.tx, back.b * centreX + back.d * centreY + back.ty)
                guard u >= source.minX, u < source.maxX, v >= source.minY, v < source.maxY else { continue }
                let (left, top) = (min(max(u - 0.5, 0), CGFloat(right)), min(max(v - 0.5, 0), CGFloat(bottom)))
                let (x0, y0) = (Int(left), Int(top))
                let (x1, y1) = (min(x0 + 1, right), min(y0 + 1, bottom))
                let (shareX, shareY) = (Float(left) - Float(x0), Float(top) - Float(y0))
                let (upper, lower) = (from.row(y0, as: UInt8.self), from.row(y1, as: UInt8.self))
                for channel in 0..<3 {
                    let above = Float(upper[4 * x0 + channel]) * (1 - shareX) + Float(upper[4 * x1 + channel]) * shareX
                    let below = Float(lower[4 * x0 + channel]) * (1 - shareX) + Float(lower[4 * x1 + channel]) * shareX
                    let value = above * (1 - shareY) + below * shareY
                    let old = Float(row[4 * x + channel])
                    row[4 * x + channel] = UInt8((old + (value - old) * opacity).rounded())
                }
            }
        }
    }
}
