import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@Suite("Copies of footage")
struct FootageCopiesTests {
    @Test("Ten bits become eight for each of two passes, and pictures of their own coding for the lens alone")
    func hdr() throws {
        let scratch = try Scratch()
        let format = kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        var movie = MovieDescription(width: 160, height: 90, frameDuration: CMTime(value: 1, timescale: 25), codec: .ffv1, pixelFormat: format)
        movie.colors = PictureColors(primaries: 9, transfer: 18, matrix: 9)
        let video = try MovieFileWriter(path: scratch("v.mkv"), movie: movie)
        try FileManager.default.createDirectory(atPath: scratch("depth"), withIntermediateDirectories: true)
        for index in 0..<4 {
            try video.append(CVPixelBuffer(width: 160, height: 90, pixelFormat: format), at: CMTime(value: Int64(index), timescale: 25))
            try PictureFile.writePNG(
                CVPixelBuffer(width: 160, height: 90, pixelFormat: kCVPixelFormatType_OneComponent16), to: scratch("depth/\(index).png"))
        }
        try video.finish()
        let run = try ToolRun(
            ["render", "--video", "v.mkv", "--depth", "depth/", "-o", "out.mp4", "--timings"], directory: scratch.url)
        #expect(run.exitCode == 0, "\(run.errors)")
        let figures = try JSONDecoder().decode(RunFigures.self, from: Data(contentsOf: scratch.url.appending(path: "out.run/perf.json")))
        #expect(figures.copies.first { $0.step == .conversion }?.count == 3 * 4, "\(figures.copies)")
    }
}
