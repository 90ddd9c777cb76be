internal import CVisionKernels
import CoreVideo
import Foundation

extension Light {
    /// `before` is a picture shortly before; one of another size or format says nothing.
    init(of picture: CVPixelBuffer, after before: CVPixelBuffer?) {
        let (width, height) = picture.size
        var luma = picture.plane(0).image(width: width, height: height, channels: 1)
        var chroma = picture.plane(1).image(width: picture.plane(1).width, height: picture.plane(1).height, channels: 2)
        var light = rf_light()
        if let before, before.size == picture.size, CVPixelBufferGetPixelFormatType(before) == CVPixelBufferGetPixelFormatType(picture) {
            var last = before.plane(0).image(width: width, height: height, channels: 1)
            rf_light_measure(&luma, &chroma, &last, &light)
        } else {
            rf_light_measure(&luma, &chroma, nil, &light)
        }
        self.init(
            p95: light.p95, p99: light.p99, signalToNoise: light.signal_to_noise, texture: light.texture, entropy: light.entropy,
            redness: light.redness)
    }
}
