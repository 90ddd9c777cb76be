internal import CLensKernels
import CoreVideo

extension BlockPeaks {
    /// Peaks of a row of squares in lines of a picture of luma and chroma planes of bytes.
    static func planar(
        _ luma: CVBuffer.Plane, _ chroma: CVBuffer.Plane, _ format: PictureFormat, _ lines: Range<Int>, _ side: Int,
        _ target: UnsafeMutablePointer<UInt8>, _ columns: Int
    ) {
        find(luma, chroma, format, unit: 1, lines, side, target, columns, rf_find_block_peaks8)
    }

    /// The same of planes of ten bits at the top of sixteen.
    static func deep(
        _ luma: CVBuffer.Plane, _ chroma: CVBuffer.Plane, _ format: PictureFormat, _ lines: Range<Int>, _ side: Int,
        _ target: UnsafeMutablePointer<UInt8>, _ columns: Int
    ) {
        find(luma, chroma, format, unit: 64, lines, side, target, columns, rf_find_block_peaks16)
    }

    private typealias Kernel<Sample> = (
        UnsafePointer<Sample>?, Int, Int32, UnsafePointer<Sample>?, Int, Int32, Int32, Int32, rf_peak_coding, UnsafeMutablePointer<Sample>?,
        UnsafeMutablePointer<UInt8>?, Int32
    ) -> Void

    /// `unit`: of a sample for one of the format's codes.
    private static func find<Sample>(
        _ luma: CVBuffer.Plane, _ chroma: CVBuffer.Plane, _ format: PictureFormat, unit: Float, _ lines: Range<Int>, _ side: Int,
        _ target: UnsafeMutablePointer<UInt8>, _ columns: Int, _ kernel: Kernel<Sample>
    ) {
        let pairs = lines.lowerBound / 2..<(lines.upperBound + 1) / 2
        let size = MemoryLayout<Sample>.size
        let chromaUnit = 255 / (format.chromaRange * unit)
        let (blue, red) = (2 * (1 - format.blue) * chromaUnit, 2 * (1 - format.red) * chromaUnit)
        let coding = rf_peak_coding(
            black: format.black * unit, grey: format.grey * unit, luma: 255 / (format.lumaRange * unit), blue: blue, red: red,
            blue_in_green: blue * format.blue / (1 - format.red - format.blue), red_in_green: red * format.red / (1 - format.red - format.blue))
        withUnsafeTemporaryAllocation(of: Sample.self, capacity: 6 * max(luma.width, columns * side)) { scratch in
            kernel(
                luma.row(lines.lowerBound), luma.bytesPerRow / size, Int32(lines.count), chroma.row(pairs.lowerBound), chroma.bytesPerRow / size,
                Int32(pairs.count), Int32(luma.width), Int32(side), coding, scratch.baseAddress, target, Int32(columns))
        }
    }
}
