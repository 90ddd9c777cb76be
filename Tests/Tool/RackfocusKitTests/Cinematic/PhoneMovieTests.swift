import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("A phone's cinematic movie, patched together from HEVC of ours")
struct PhoneMovieTests {
    @Test("is pictures with disparity, found by its sample entry", arguments: [0, 90])
    func disparity(rotation: Int) throws {
        let scratch = try Scratch()
        let phone = try PhoneMovie(in: scratch, rotation: rotation)
        #expect(MovieDisparity(of: phone.path) == .phone)
        #expect(try MovieReader(path: phone.path).contents.tracks.map(\.kind) == [.picture, .disparity])
        let source = try DisparityFileSource(video: phone.path, disparity: phone.path)
        var count = 0
        while let frame = try source.nextFrame() {
            let map = try #require(frame.disparity)
            let size = rotation == 0 ? PhoneMovie.map : (PhoneMovie.map.height, PhoneMovie.map.width)
            #expect((map.width, map.height) == size && !map.isMetric)
            for y in 0..<PhoneMovie.map.height {
                for x in 0..<PhoneMovie.map.width {
                    // Turned by a quarter clockwise, the first row is the last column.
                    let value = rotation == 0 ? map.row(y)[x] : map.row(x)[PhoneMovie.map.height - 1 - y]
                    let code = Double(value) * 219 + 16
                    #expect(abs(code - Double(PhoneMovie.code(x, y, frame: count))) < 3, "frame \(count), \(x), \(y)")
                }
            }
            count += 1
        }
        #expect(count == PhoneMovie.frames)
    }

    @Test("is rendered, kept as a cinematic movie, inspected and exported without a guess")
    func commands() throws {
        let scratch = try Scratch()
        let phone = try PhoneMovie(in: scratch)
        let models = ["--face-model", "none", "--object-model", "none"]
        let render = try ToolRun(["render", "--video", phone.path, "-o", scratch("a.mp4"), "--cinematic", scratch("take.mov")] + models)
        #expect(render.exitCode == 0 && !render.errors.contains("guess"), "\(render.errors)")
        let inspected = try ToolRun(["inspect", phone.path])
        #expect(inspected.exitCode == 0 && inspected.output.contains("disparity  hevc  32x18"), "\(inspected.output)\(inspected.errors)")
        #expect(inspected.errors.contains("--cinematic take.mov` makes them anew"))
        let drawn = try ToolRun(["inspect", phone.path, "--svg", scratch("a.svg")])
        #expect(drawn.exitCode == 66 && drawn.errors.contains("no decisions that can be read"), "\(drawn.errors)")
        let export = try ToolRun(["export", phone.path, "-o", scratch("b.mp4")])
        #expect(export.exitCode == 0 && export.errors.contains("made anew"), "\(export.errors)")
        let before = try Data(contentsOf: URL(fileURLWithPath: phone.path))
        let edit = try ToolRun(["edit", phone.path, "0s: {aperture: f/2}"] + models)
        #expect(edit.exitCode == 0 && edit.errors.contains("\(phone.path).take.mov has them made anew"), "\(edit.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: phone.path)) == before)
        let again = try ToolRun(["edit", phone.path, "0s: {focus: {on: {at: [0.5, 0.5]}, mode: fixed}}"] + models)
        #expect(again.exitCode == 0 && again.errors.isEmpty && again.output.contains("fixed"), "\(again.output)\(again.errors)")
        let baked = try ToolRun(["export", phone.path, "-o", scratch("c.mp4")])
        #expect(baked.exitCode == 0 && !baked.errors.contains("made anew"), "\(baked.errors)")
        let stems = try ToolRun(["export", phone.path, "--stems", scratch("stems")])
        #expect(stems.exitCode == 0, "\(stems.errors)")
        let lens = try String(contentsOfFile: scratch("stems/lens.0001.json"), encoding: .utf8)
        #expect(lens.contains(#""fNumber" : 2,"#), "\(lens)")
        try FileManager.default.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: phone.path + ".take.mov")
        let old = try ToolRun(["edit", phone.path])
        #expect(old.exitCode == 66 && old.errors.contains("is older than"), "\(old.errors)")
        let own = try CinematicFileSource(path: scratch("take.mov"))
        #expect(try own.next()?.frame.disparity != nil)
    }

    @Test("with two eyes in one track is refused with what to do")
    func twoEyes() throws {
        let scratch = try Scratch()
        _ = try PhoneMovie(in: scratch)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("pictures.mov")))
        let colour = try #require(bytes.range(of: Data("colr".utf8)))
        bytes.replaceSubrange(colour, with: Data("lhvC".utf8))
        try bytes.write(to: URL(fileURLWithPath: scratch("spatial.mov")))
        let run = try ToolRun(["render", "--video", scratch("spatial.mov"), "-o", scratch("a.mp4")])
        #expect(run.exitCode == 66 && run.errors.contains("MV-HEVC") && run.errors.contains("--left and --right"), "\(run.errors)")
    }
}
