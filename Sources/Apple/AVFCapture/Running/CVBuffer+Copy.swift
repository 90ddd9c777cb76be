import CoreVideo

extension CVBuffer {
    /// Copies the pixels into a buffer of the same size and planes.
    package func copyPixels(to other: CVPixelBuffer) {
        for index in 0..<(CVPixelBufferIsPlanar(self) ? CVPixelBufferGetPlaneCount(self) : 1) {
            let (from, to) = (plane(index), other.plane(index))
            let bytes = min(from.bytesPerRow, to.bytesPerRow)
            for y in 0..<min(from.height, to.height) { to.row(y, as: UInt8.self).update(from: from.row(y, as: UInt8.self), count: bytes) }
        }
    }
}
