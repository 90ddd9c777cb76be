import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@Suite("Footage in HLG that a phone zooms into", .enabled(if: Probe.isInstalled, "ffmpeg is not installed"))
struct ZoomedHDRTests {
    /// Luma along the middle row of each frame, codes of ten bits.
    private func luma(_ path: String) throws -> [[Int]] {
        let source = try VideoFileSource(path: path, reading: FootageReading(keepsCoding: true))
        var rows: [[Int]] = []
        while let frame = try source.nextFrame() {
            let image = frame.original ?? frame.image
            try #require(image.format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange)
            let row = image.plane(0).row(image.size.height / 2, as: UInt16.self)
            rows.append((0..<image.size.width).map { Int(row[$0] >> 6) })
        }
        return rows
    }

    /// Phone whose cinematic video zooms, unlike that of the shipped ones.
    private static let phone = """
        {"model": "Zoomer", "cameras": [{
          "uniqueID": "zoomer.back", "name": "Back", "type": "builtInDualWideCamera", "position": "back", "focalLength": 26, "constituents": [],
          "formats": [{
            "sizes": ["1920x1080"], "pixelFormats": ["420v", "x420"], "frameRates": [1, 30], "fieldOfView": 69, "maxZoom": 16, "depthWidths": [320],
            "cinematic": {"aperture": [2, 16], "defaultAperture": 2.8, "zoom": [1, 4], "frameRates": [1, 30]}}]}]}
        """

    @Test("keeps its ten bits, its tags and its codes, also in the part that is left")
    func zoomed() throws {
        let scratch = try Scratch()
        let hlg = "-pix_fmt yuv420p10le -c:v ffv1 -colorspace bt2020nc -color_primaries bt2020 -color_trc arib-std-b67 -color_range tv"
        try Probe.make(
            scratch("in.mkv"), "-f lavfi -i color=s=320x180:r=25:d=0.8,format=yuv420p10le,geq=lum=200+2*X:cb=512:cr=512 \(hlg)")
        try Probe.make(scratch("d.mkv"), "-f lavfi -i color=c=gray:s=320x180:r=25:d=0.8 -pix_fmt gray16le -c:v ffv1")
        let script = try scratch.write("timeline:\n  - 0.4s: {set: {zoom: 2}}\n", to: "zoom.yaml")
        let phone = try scratch.write(Self.phone, to: "zoomer.json")
        let run = try ToolRun(
            [
                "render", "--video", "in.mkv", "--disparity", "d.mkv", "--script", script, "--phone", phone, "--codec", "ffv1", "-o",
                "out.mkv",
            ], directory: scratch.url)
        #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
        let video = try #require(try Probe.report(scratch("out.mkv")).video)
        #expect(video.pix_fmt == "yuv420p10le" && video.color_transfer == "arib-std-b67" && video.color_primaries == "bt2020")
        let frames = try luma(scratch("out.mkv"))
        try #require(frames.count == 20)
        for frame in frames[..<10] { #expect(frame.indices.allSatisfy { abs(frame[$0] - (200 + 2 * $0)) <= 1 }, "\(frame.prefix(8))") }
        // A pixel's middle, half as far from the picture's: 200 + 2 (80 + (x + 1/2) / 2 - 1/2), and rounded.
        for frame in frames[10...] {
            #expect(frame.indices.allSatisfy { abs(frame[$0] - (360 + $0)) <= 1 }, "\(frame.prefix(8)) … \(frame.suffix(8))")
        }
    }
}
