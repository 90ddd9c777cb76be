import Foundation
import TestSupport
import Testing

@Suite("A delivered movie", .enabled(if: Probe.isInstalled, "ffmpeg is not installed"))
struct DeliveryTests {
    @Test("in PQ has the light of its source: tags, mastering display and content light level")
    func masteringDisplay() throws {
        let scratch = try Scratch()
        let pq = "-pix_fmt yuv420p10le -c:v libx265 -colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084 -color_range tv -x265-params "
        let light = "log-level=none:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=900,300"
        try Probe.make(scratch("in.mov"), "-f lavfi -i testsrc2=s=64x36:r=24:d=0.3 " + pq + light)
        try Probe.make(scratch("d.mkv"), "-f lavfi -i color=c=gray:s=64x36:r=24:d=0.3 -pix_fmt gray16le -c:v ffv1")
        let run = try ToolRun(["render", "--video", "in.mov", "--disparity", "d.mkv", "-o", "out.mov"], directory: scratch.url)
        #expect(run.exitCode == 0, "\(run.errors)")
        let video = try #require(try Probe.report(scratch("out.mov")).video)
        #expect(video.codec_name == "hevc" && video.pix_fmt == "yuv420p10le" && video.color_transfer == "smpte2084")
        let sides = video.side_data_list ?? []
        #expect(sides.contains { $0.max_luminance == "10000000/10000" }, "\(sides)")
        #expect(sides.contains { $0.max_content == 900 }, "\(sides)")
        let refused = try ToolRun(
            ["render", "--video", "in.mov", "--disparity", "d.mkv", "-o", "b.mov", "--codec", "h264"], directory: scratch.url)
        #expect(refused.exitCode == 66 && refused.errors.contains("HLG and PQ are not written as h264"), "\(refused.errors)")
    }

    @Test("has all five sound tracks, to the sample, and the chapters, of the part that it shows")
    func partOfFootage() throws {
        let scratch = try Scratch()
        try Data(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/10\nSTART=0\nEND=5\ntitle=One\n[CHAPTER]\nTIMEBASE=1/10\nSTART=5\nEND=20\ntitle=Two\n".utf8)
            .write(to: URL(fileURLWithPath: scratch("chapters.txt")))
        let tracks = (0..<5).map { "-f lavfi -i sine=f=\(300 + 100 * $0):d=2:r=48000 " }.joined()
        let maps = (0..<6).map { "-map \($0) " }.joined()
        try Probe.make(
            scratch("in.mov"),
            "-f lavfi -i testsrc2=s=64x36:r=25:d=2 \(tracks)-f ffmetadata -i \(scratch("chapters.txt")) \(maps)-map_metadata 6 -c:v libx264 -g 5 -c:a aac "
                + "-timecode 10:00:00:00")
        try Probe.make(scratch("d.mkv"), "-f lavfi -i color=c=gray:s=64x36:r=25:d=2 -pix_fmt gray16le -c:v ffv1")
        let words = ["render", "--video", "in.mov", "--disparity", "d.mkv"]
        let run = try ToolRun(words + ["-o", "out.mov", "--from", "10:00:00:10", "--to", "1.6s"], directory: scratch.url)
        #expect(run.exitCode == 0 && run.output.hasPrefix("30 frames"), "\(run.output)\(run.errors)")
        let report = try Probe.report(scratch("out.mov"))
        #expect(report.sound.count == 5 && report.timecode == "10:00:00:10")
        // 30 frames of 1/25 s.
        #expect(report.sound.allSatisfy { $0.duration_ts == 57_600 && $0.start_pts == 0 })
        #expect(report.chapters?.map { $0.tags?["title"] } == ["One", "Two"])
        #expect(report.chapters?.map { Double($0.start_time) } == [0, 0.1])
        #expect(report.chapters?.map { Double($0.end_time) } == [0.1, 1.2])
        let counted = try ToolRun(words + ["-o", "counted.mov", "--from", "10f", "--to", "40f"], directory: scratch.url)
        #expect(counted.exitCode == 0 && counted.output.hasPrefix("30 frames"), "\(counted.output)\(counted.errors)")
        #expect(try Probe.report(scratch("counted.mov")).timecode == "10:00:00:10")
        let short = try ToolRun(words + ["-o", "short.mov", "--to", "10:00:00:05"], directory: scratch.url)
        #expect(short.exitCode == 0, "\(short.errors)")
        let chapters = try Probe.report(scratch("short.mov")).chapters
        #expect(chapters?.map { $0.tags?["title"] } == ["One"] && chapters?.first.flatMap { Double($0.end_time) } == 0.2)

        let late = try ToolRun(words + ["-o", "b.mov", "--from", "9s"], directory: scratch.url)
        #expect(late.exitCode == 66 && late.errors.contains("in.mov: ends at 2.0s, before 9.0s, from which it is to be used"), "\(late.errors)")
        let turned = try ToolRun(words + ["-o", "b.mov", "--from", "1s", "--to", "0.5s"], directory: scratch.url)
        #expect(turned.exitCode == 66 && turned.errors.contains("has no frame from 1.0s on and before 0.5s; give a later --to"), "\(turned.errors)")
        let empty = try ToolRun(words + ["-o", "b.mov", "--to", "0s"], directory: scratch.url)
        #expect(empty.exitCode == 66 && empty.errors.contains("has no frame before 0.0s; give a later --to"), "\(empty.errors)")
        let beyond = try ToolRun(words + ["-o", "b.mov", "--focus", "9s: {on: {at: [0.5, 0.5]}}"], directory: scratch.url)
        #expect(beyond.exitCode != 0 && beyond.errors.contains("at 9.000 s is not in the footage, which ends at 2.000 s"), "\(beyond.errors)")
        // The container tells its length alone, and the analysis that rendering begins with would be kept.
        try Probe.make(scratch("b.mkv"), "-i \(scratch("in.mov")) -map 0:v -c copy")
        let uncounted = try ToolRun(["render", "--video", "b.mkv", "-o", "b.mov", "--focus", "9s: {on: {at: [0.5, 0.5]}}"], directory: scratch.url)
        #expect(uncounted.exitCode != 0 && uncounted.errors.contains("which ends at 2.000 s"), "\(uncounted.errors)")
        try FileManager.default.removeItem(atPath: scratch("b.mkv"))
        let named = try ToolRun(words + ["-o", "b.mov", "--focus", "1s: {on: maya}"], directory: scratch.url)
        #expect(named.errors.contains("give a place: {at: [x, y]}"), "\(named.errors)")
        #expect(try !scratch.names.contains { $0.hasPrefix("b.") })
        let early = try ToolRun(words + ["-o", "b.mov", "--from", "09:00:00:00"], directory: scratch.url)
        #expect(early.exitCode == 66 && early.errors.contains("its first frame has 10:00:00:00"), "\(early.errors)")
    }

    @Test("as a sequence is numbered pictures, all there or none, of as many bits as the footage", arguments: ["png", "tiff", "exr"])
    func sequence(type: String) throws {
        let scratch = try Scratch()
        try Probe.make(scratch("in.mkv"), "-f lavfi -i testsrc2=s=64x36:r=25:d=0.2 -pix_fmt yuv420p10le -c:v ffv1")
        try Probe.make(scratch("d.mkv"), "-f lavfi -i color=c=gray:s=64x36:r=25:d=0.2 -pix_fmt gray16le -c:v ffv1")
        let words = ["render", "--video", "in.mkv", "--disparity", "d.mkv", "-o", "s.%03d.\(type)"]
        let run = try ToolRun(words, directory: scratch.url)
        #expect(run.exitCode == 0, "\(run.errors)")
        let names = (1...5).map { "s.00\($0).\(type)" }
        #expect(try scratch.names == (["d.mkv", "in.mkv", "s.run"] + names).sorted())
        let video = try #require(try Probe.report(scratch(names[4])).video)
        #expect(["rgb48be", "rgb48le", "gbrpf32le"].contains(video.pix_fmt ?? ""))
        try FileManager.default.removeItem(atPath: scratch("s.run"))
        let again = try ToolRun(words, directory: scratch.url)
        #expect(again.exitCode == 73 && again.errors.contains("s.001.\(type)"), "\(again.errors)")
        #expect(try ToolRun(words + ["--force", "--to", "3f"], directory: scratch.url).exitCode == 0)
        #expect(try scratch.names == (["d.mkv", "in.mkv", "s.run"] + names[..<3]).sorted())
        let own = try ToolRun(["render", "--video", "s.%03d.\(type)", "-o", "s.%03d.\(type)", "--force"], directory: scratch.url)
        #expect(own.exitCode == 73 && own.errors.contains("input"), "\(own.errors)")
    }

    @Test(
        "as PNG says what its codes are where they are not BT.709's (`cICP`), as TIFF is refused",
        arguments: [
            ("yuv420p10le", "bt2020nc", "bt2020", "smpte2084", [9, 16], "PQ or HLG"),
            ("yuv420p10le", "bt2020nc", "bt2020", "arib-std-b67", [9, 18], "PQ or HLG"),
            ("yuv420p10le", "bt2020nc", "bt2020", "bt2020-10", [9, 14], "the primaries BT.2020"),
            ("yuv420p", "bt709", "smpte432", "iec61966-2-1", [12, 13], "the primaries Display P3"),
        ] as [(String, String, String, String, [UInt8], String)])
    func stillColors(format: String, matrix: String, primaries: String, transfer: String, codes: [UInt8], refusal: String) throws {
        let scratch = try Scratch()
        try Probe.make(
            scratch("in.mkv"),
            "-f lavfi -i testsrc2=s=64x36:r=25:d=0.1 -pix_fmt \(format) -c:v ffv1 -colorspace \(matrix) -color_primaries \(primaries) -color_trc \(transfer) "
                + "-color_range tv")
        try Probe.make(scratch("d.mkv"), "-f lavfi -i color=c=gray:s=64x36:r=25:d=0.1 -pix_fmt gray16le -c:v ffv1")
        let words = ["render", "--video", "in.mkv", "--disparity", "d.mkv", "-o"]
        for output in [["s.%d.png"], ["one.png", "--frame", "0f"]] {
            let run = try ToolRun(words + output, directory: scratch.url)
            #expect(run.exitCode == 0, "\(run.errors)")
        }
        for name in ["s.1.png", "one.png"] {
            let file = try Data(contentsOf: URL(fileURLWithPath: scratch(name)))
            // Behind the signature of 8 bytes and the header of 25.
            #expect(Array(file[33..<45]) == [0, 0, 0, 4] + Array("cICP".utf8) + codes + [0, 1])
        }
        for output in [["s.%d.tiff"], ["one.tiff", "--frame", "0f"]] {
            let run = try ToolRun(words + output, directory: scratch.url)
            #expect(run.exitCode == 66 && run.errors.contains(refusal), "\(run.errors)")
        }
    }

    @Test("has a key frame every second at most, also where its frames come unevenly")
    func keyframes() throws {
        let scratch = try Scratch()
        try Probe.make(scratch("in.mkv"), "-f lavfi -i color=s=64x36:r=30000/1001:d=2.5 -c:v ffv1")
        try Probe.make(scratch("d.mkv"), "-f lavfi -i color=c=gray:s=64x36:r=30000/1001:d=2.5 -pix_fmt gray16le -c:v ffv1")
        for output in ["a.mp4", "b.mov"] {
            let codec = output == "a.mp4" ? "h264" : "hevc"
            let run = try ToolRun(
                ["render", "--video", "in.mkv", "--disparity", "d.mkv", "-o", output, "--codec", codec], directory: scratch.url)
            #expect(run.exitCode == 0, "\(run.errors)")
            let times = try Probe.packets(scratch(output)).filter { $0.flags.hasPrefix("K") }.compactMap { Double($0.pts_time) }
            #expect(times.first == 0 && times.count >= 3)
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= 1 }, "\(times)")
        }
    }

    @Test(
        "that cannot be is refused by name",
        arguments: [
            (["-o", "a.mp4", "--codec", "prores"], "MP4 has no place for prores"),
            (["-o", "a.mov", "--codec", "png"], "a coding of single pictures"),
            (["-o", "a.png"], "names one picture"), (["-o", "a.%d.png", "--codec", "hevc"], "name a movie"),
            (["-o", "a.%d.png", "--codec", "exr"], "is named as png"),
            (["-o", "a.mkv", "--codec", "ffv1", "--quality", "9"], "loses nothing"),
            (["-o", "a.mov", "--codec", "prores", "--bitrate", "9M"], "a profile in place of a bit rate"),
            (["-o", "a.mov", "--codec", "prores", "--pixel-format", "yuv420p"], "give one of yuv422p10, yuv444p10"),
        ] as [([String], String)])
    func refusals(words: [String], message: String) throws {
        let scratch = try Scratch()
        try Probe.make(scratch("in.mkv"), "-f lavfi -i color=s=64x36:r=25:d=0.1 -c:v ffv1")
        let run = try ToolRun(["render", "--video", "in.mkv"] + words, directory: scratch.url)
        #expect(run.exitCode == 64 && run.errors.contains(message), "\(run.errors)")
        #expect(try scratch.names == ["in.mkv"])
    }

    @Test("of one picture lasts as long as a picture of a sequence does", arguments: ["png", "jpg"])
    func onePicture(kind: String) throws {
        let scratch = try Scratch()
        try Probe.make(scratch("in.\(kind)"), "-f lavfi -i color=s=64x36:r=25:d=0.04 -frames:v 1")
        try Probe.make(scratch("d.png"), "-f lavfi -i color=c=gray:s=64x36:r=25:d=0.04 -pix_fmt gray16be -frames:v 1")
        let run = try ToolRun(["render", "--video", "in.\(kind)", "--disparity", "d.png", "-o", "out.mp4"], directory: scratch.url)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(abs(try Probe.seconds(scratch("out.mp4")) - 1 / 30) < 0.001)
    }

    @Test("leaves a record of how it was made, and one frame of it is a picture, the same as in the movie")
    func recordAndFrame() throws {
        let scratch = try Scratch()
        try Probe.make(scratch("in.mkv"), "-f lavfi -i testsrc2=s=64x36:r=25:d=0.4 -c:v ffv1")
        try Probe.make(scratch("d.mkv"), "-f lavfi -i testsrc=s=64x36:r=25:d=0.4 -pix_fmt gray16le -c:v ffv1")
        let words = ["render", "--video", "in.mkv", "--disparity", "d.mkv", "--aperture", "2", "-o"]
        #expect(try ToolRun(words + ["all.%d.png"], directory: scratch.url).exitCode == 0)
        let record = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: scratch("all.run/render.json")))) as? [String: Any])
        #expect(record["arguments"] as? [String] == words + ["all.%d.png"] && record["frames"] as? Int == 10)
        #expect((record["output"] as? [String: Any])?["codec"] as? String == "png")
        #expect((record["lens"] as? [String: Any])?["aperture"] as? Double == 2)
        #expect((record["lens"] as? [String: Any])?["breathing"] is NSNull && (record["lens"] as? [String: Any])?["vignetting"] is NSNull)
        #expect((record["focus"] as? [String: Any])?["rack"] is NSNull)
        #expect((record["inputs"] as? [String: Int])?.keys.sorted() == ["d.mkv", "in.mkv"])
        for point in ["6f", "0.24s", "00:00:00:06"] {
            let run = try ToolRun(words + ["still.png", "--frame", point, "--force"], directory: scratch.url)
            #expect(run.exitCode == 0 && run.output == "one frame in still.png\ndetections of ./all.run are used again\n", "\(run.errors)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("still.png"))) == Data(contentsOf: URL(fileURLWithPath: scratch("all.7.png"))))
        }
        #expect(try scratch.names.filter { $0.hasPrefix("still") } == ["still.png"])
        let beyond = try ToolRun(words + ["b.png", "--frame", "99f"], directory: scratch.url)
        #expect(beyond.exitCode == 66 && beyond.errors.contains("the footage has no such frame"), "\(beyond.errors)")
    }
}
