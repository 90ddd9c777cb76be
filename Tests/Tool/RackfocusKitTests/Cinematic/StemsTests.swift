import CoreMedia
import CoreVideo
import Foundation
import Media
import Optics
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("Stems and contact sheet of a cinematic movie")
struct StemsTests {
    @Test(
        "stems hold picture, disparity, circle of confusion, matte and lens of each frame, as they were recorded",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"), "no ffmpeg to read OpenEXR with"))
    func stems() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        let run = try ToolRun(["export", take.path, "--stems", scratch("stems"), "--from", "10f", "--to", "30f", "--aperture", "4"])
        #expect(run.exitCode == 0 && run.output == "20 frames in \(scratch("stems"))\n", "\(run.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch("stems"))
        #expect(names.count == 102 && names.contains("picture.0020.png") && names.contains("manifest.json"))
        let source = try CinematicFileSource(path: take.path)
        try source.seek(to: 12, at: CMTime(value: 12 * 1001, timescale: 30_000))
        let (frame, sample) = try #require(try source.next())
        #expect(frame.index == 12)
        let map = try #require(frame.disparity)
        let json = try JSONSerialization.jsonObject(with: Data(scratch.text("stems/lens.0003.json").utf8)) as? [String: Any]
        let lens = try #require(json)
        let slope = try #require(lens["circlePerDisparity"] as? Double)
        #expect(abs(slope * 2 - sample.circle.diameterPerDisparity) < 1e-9, "f/4 blurs half as much as f/2")
        #expect(lens["focusDisparity"] as? Double == sample.focus.focusDisparity && lens["frame"] as? Int == 3)
        #expect((lens["subject"] as? [String: Any])?["label"] as? String == sample.subject?.label)
        let (disparity, circle) = (try Self.floats(scratch("stems/disparity.0003.exr")), try Self.floats(scratch("stems/coc.0003.exr")))
        for y in 0..<map.height {
            for x in 0..<map.width {
                let (value, at) = (map.row(y)[x], y * map.width + x)
                #expect(disparity[at] == value && abs(Double(circle[at]) - slope * (sample.focus.focusDisparity - Double(value))) < 1e-4)
            }
        }
        let matte = try PictureFile.readDisparity(scratch("stems/matte.0003.png"))
        let box = try #require(sample.subject).bounds
        #expect(matte.row(Int(box.midY * Double(matte.height)))[Int(box.midX * Double(matte.width))] == 1 && matte.row(0)[0] == 0)
        let again = try ToolRun(["export", take.path, "--stems", scratch("stems")])
        #expect(again.exitCode == 73 && again.errors.contains("exists already; use --force"), "\(again.errors)")
        let mixed = try ToolRun(["export", take.path, "--stems", scratch("other"), "--codec", "hevc"])
        #expect(mixed.exitCode == 64 && mixed.errors.contains("leave --codec out, or --stems"), "\(mixed.errors)")
    }

    @Test("stems are footage again: picture and disparity through `render` and `bokeh`, with distances in metres")
    func again() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        #expect(try ToolRun(["export", take.path, "--stems", scratch("stems"), "--to", "3f"]).exitCode == 0)
        let (pictures, maps) = (scratch("stems/picture.%04d.png"), scratch("stems/disparity.%04d.exr"))
        let source = try RecordedDisparitySource(video: pictures, disparity: maps)
        let (map, stored) = (try #require(try source.nextFrame()?.disparity), try PictureFile.readDisparity(scratch("stems/disparity.0001.exr")))
        for y in 0..<stored.height { #expect(memcmp(map.row(y), stored.row(y), 4 * stored.width) == 0) }
        #expect(source.upsampler == nil, "mended maps are used as they are")
        let torn = DisparityMap(
            buffer: stored.buffer,
            confidence: CVPixelBuffer(
                width: stored.width, height: stored.height, pixelFormat: kCVPixelFormatType_OneComponent8), isMetric: true)
        let seen = try #require(torn.confidence)
        for y in 0..<stored.height { seen.plane(0).row(y, as: UInt8.self).update(repeating: y < 20 ? 0 : 255, count: stored.width) }
        let whole = try torn.completed(
            along: PictureFile.read(scratch("stems/picture.0001.png"), as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        for y in 20..<stored.height { #expect(memcmp(whole.row(y), stored.row(y), 4 * stored.width) == 0) }
        #expect(whole.confidence == nil)
        let render = try ToolRun(["render", "--video", pictures, "--disparity", maps, "--focus", "0f: 2m", "-o", scratch("again.mp4")])
        #expect(render.exitCode == 0 && render.output.hasPrefix("3 frames"), "\(render.errors)")
        let still = [
            "bokeh", scratch("stems/picture.0001.png"), "--disparity", scratch("stems/disparity.0001.exr"), "--focus-at", "90,30", "--aperture", "2",
            "-o", scratch("still.png"),
        ]
        let bokeh = try ToolRun(still)
        #expect(bokeh.exitCode == 0 && bokeh.output.contains("focus at 0.25") && bokeh.output.contains("1/m, "), "\(bokeh.output)\(bokeh.errors)")
        let ranged = try ToolRun(still + ["--disparity-range", "0,2", "--force"])
        #expect(ranged.exitCode != 0 && ranged.errors.contains("leave out the range"), "\(ranged.errors)")
    }

    /// Values of an OpenEXR file of one channel, read by the ffmpeg of the machine.
    private static func floats(_ path: String) throws -> [Float] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "grayf32le", "-"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    @Test("any frame is sought, with the picture, map and metadata that reading from the start gives")
    func seek() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        let (straight, sought) = (try CinematicFileSource(path: take.path), try CinematicFileSource(path: take.path))
        var all: [(frame: Frame, sample: CinematicSample)] = []
        while let next = try straight.next() { all.append(next) }
        for number in [39, 0, 20, 21, 7] {
            try sought.seek(to: number, at: all[number].frame.presentationTime)
            let (frame, sample) = try #require(try sought.next())
            let expected = all[number]
            #expect(frame.presentationTime == expected.frame.presentationTime && sample == expected.sample && frame.index == number)
            #expect(CinematicRoundTripTests.psnr(frame.image, expected.frame.image) == .infinity)
            let (map, other) = (try #require(frame.disparity), try #require(expected.frame.disparity))
            for y in 0..<map.height { #expect(memcmp(map.row(y), other.row(y), 4 * map.width) == 0) }
        }
        try sought.seek(to: 38, at: all[38].frame.presentationTime)
        _ = try sought.next()
        #expect(try sought.next() != nil && sought.next() == nil)
    }

    @Test("the contact sheet shows the frame of each decision, its subject in yellow")
    func sheet() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        let run = try ToolRun(["inspect", take.path, "--sheet", scratch("sheet.jpg")])
        #expect(run.exitCode == 0, "\(run.errors)")
        let sheet = try PictureFile.read(scratch("sheet.jpg"))
        let count = take.records.flatMap(\.decisions).count
        #expect(sheet.size == (324 * min(count, 4) + 4, (count + 3) / 4 * 218 + 4))
        let yellow = (0..<sheet.size.height).reduce(0) { sum, y in
            let row = sheet.plane(0).row(y, as: UInt8.self)
            return sum + (0..<324).count { row[4 * $0 + 2] > 200 && row[4 * $0 + 1] > 150 && row[4 * $0] < 90 }
        }
        #expect(yellow > 100, "\(yellow) yellow pixels in the first column")
        let png = try ToolRun(["inspect", take.path, "--sheet", scratch("sheet.png")])
        #expect(png.exitCode == 64 && png.errors.contains("name it with .jpg"), "\(png.errors)")
    }
}
