import CoreVideo
import Dispatch
import Pipeline
import Synchronization

/// Moves pictures between pixel buffers of any stride and the lens's own tight, padded copy.
struct PictureStaging {
    let geometry: PictureGeometry

    /// Rows of one plane: bytes shown, bytes padded to, where they start in the tight copy, and the unit repeated at the right edge.
    private struct PlaneRows {
        let plane: CVBuffer.Plane
        let shown: Int
        let padded: Int
        let paddedRows: Int
        let offset: Int
        let unit: Int
    }

    private func planes(of image: CVPixelBuffer) -> [PlaneRows] {
        let (width, height) = (geometry.paddedWidth, geometry.paddedHeight)
        guard geometry.format.isPlanar else {
            let unit = geometry.format.pixelBytes
            return [PlaneRows(plane: image.plane(0), shown: geometry.width * unit, padded: width * unit, paddedRows: height, offset: 0, unit: unit)]
        }
        let sample = geometry.format.sampleBytes
        return (0...1).map { plane in
            PlaneRows(
                plane: image.plane(plane), shown: geometry.width * sample, padded: width * sample, paddedRows: height >> plane,
                offset: plane * width * height * sample, unit: sample << plane)
        }
    }

    func copy(_ image: CVPixelBuffer, to target: UnsafeMutableRawPointer) {
        nonisolated(unsafe) let target = target
        for rows in planes(of: image) {
            Self.inBands(of: rows.paddedRows) { y in
                let source = rows.plane.base + min(y, rows.plane.height - 1) * rows.plane.bytesPerRow
                let line = target + rows.offset + y * rows.padded
                line.copyMemory(from: source, byteCount: rows.shown)
                var at = rows.shown
                while at < rows.padded {
                    (line + at).copyMemory(from: line + at - rows.unit, byteCount: rows.unit)
                    at += rows.unit
                }
            }
        }
        PictureCopies.count(.upload, of: image)
    }

    static func copy(_ map: DisparityMap, to target: UnsafeMutableRawPointer, geometry: LensGeometry) {
        nonisolated(unsafe) let target = target
        let bytes = geometry.mapBytesPerRow
        inBands(of: geometry.mapRows) { y in
            let source = map.row(min(y, map.height - 1))
            let line = (target + y * bytes).assumingMemoryBound(to: Float.self)
            line.update(from: source, count: map.width)
            for x in map.width..<bytes / 4 { line[x] = source[map.width - 1] }
        }
        PictureCopies.count(.mapUpload, of: map.buffer)
    }

    /// All of the tight copy.
    func copy(_ source: UnsafeRawPointer, to image: CVPixelBuffer) {
        nonisolated(unsafe) let source = source
        for rows in planes(of: image) {
            Self.inBands(of: rows.plane.height) { y in
                (rows.plane.base + y * rows.plane.bytesPerRow).copyMemory(from: source + rows.offset + y * rows.padded, byteCount: rows.shown)
            }
        }
    }

    /// Drawn tiles from `blurred`, or as they are where that is nil; all others from the sharp picture.
    func assemble(_ result: CVPixelBuffer, from blurred: UnsafeRawPointer?, sharp: CVPixelBuffer, plan: LensPlan) {
        nonisolated(unsafe) let blurred = blurred
        let copied = Atomic(0)
        for (target, source) in zip(planes(of: result), planes(of: sharp)) {
            let tileSide = LensGeometry.tile * geometry.scale
            let rowsPerTile = tileSide * target.plane.height / geometry.height
            let bytesPerTile = target.padded * tileSide / geometry.paddedWidth
            Self.inBands(of: target.plane.height) { y in
                let row = y / rowsPerTile * plan.columns
                let line = target.plane.base + y * target.plane.bytesPerRow
                var column = 0
                while column < plan.columns {
                    let isDrawn = plan.isDrawn[row + column]
                    let first = column
                    while column < plan.columns, plan.isDrawn[row + column] == isDrawn { column += 1 }
                    let bytes = first * bytesPerTile..<min(column * bytesPerTile, target.shown)
                    let sharp = UnsafeRawPointer(source.plane.base + y * source.plane.bytesPerRow)
                    guard !bytes.isEmpty, let from = isDrawn ? blurred.map({ $0 + target.offset + y * target.padded }) : sharp else { continue }
                    (line + bytes.lowerBound).copyMemory(from: from + bytes.lowerBound, byteCount: bytes.count)
                    copied.add(bytes.count, ordering: .relaxed)
                }
            }
        }
        let bytes = copied.load(ordering: .relaxed)
        if bytes > 0 { PictureCopies.count(.assembly, bytes: bytes) }
    }

    /// Calls `body` for every row, 64 rows to a task.
    static func inBands(of rows: Int, _ body: @Sendable (Int) -> Void) {
        let band = 64
        DispatchQueue.concurrentPerform(iterations: (rows + band - 1) / band) { index in
            for y in index * band..<min((index + 1) * band, rows) { body(y) }
        }
    }
}
