import Foundation
import TestSupport
import Testing

@Suite("A delivered movie", .enabled(if: Probe.isInstalled, "ffmpeg is not installed"))
struct DeliveryTests {
    /// Kind of footage of issue 23's table, and what has to come out of it.
    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        /// Words for ffmpeg behind its moving test picture, and the file's extension.
        var make: String
        var type = "mkv"
        var options: [String] = []
        var output = "out.mov"
        /// Codec and pixel format.
        var coded: String
        /// Range, matrix, transfer, primaries.
        var colors = "tv bt709 bt709 bt709"
        var aspect = "1:1"
        var size = "64x36"
        var sound: [String] = []
        /// Part of standard error.
        var note = ""
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            name: "23.976 frames/s with PCM and a timecode", make: "-c:v libx264 -c:a pcm_s24le -timecode 01:00:00:00", type: "mov",
            coded: "h264 yuv420p", sound: ["pcm_s24le"]),
        Row(
            name: "PCM into MP4", make: "-c:v libx264 -c:a pcm_s16le", type: "mov", output: "out.mp4", coded: "h264 yuv420p", sound: ["alac"],
            note: "is pcm_s16le, for which MP4 has no place; it became ALAC"),
        Row(
            name: "10-bit 4:2:2 ProRes", make: "-pix_fmt yuv422p10le -c:v prores_ks -c:a pcm_s16le", type: "mov", coded: "hevc yuv420p10le",
            colors: "tv bt709 bt709 bt709", sound: ["pcm_s16le"]),
        Row(
            name: "ProRes to ProRes", make: "-pix_fmt yuv422p10le -c:v prores_ks -c:a pcm_s16le", type: "mov", options: ["--codec", "prores"],
            coded: "prores yuv422p10le", sound: ["pcm_s16le"]),
        Row(
            name: "BT.601", make: "-c:v ffv1 -colorspace smpte170m -color_primaries smpte170m -color_trc smpte170m -color_range tv",
            output: "out.mkv", coded: "h264 yuv420p", colors: "tv smpte170m smpte170m smpte170m"),
        Row(
            name: "BT.2020", make: "-pix_fmt yuv420p10le -c:v ffv1 -colorspace bt2020nc -color_primaries bt2020 -color_trc bt2020-10 -color_range tv",
            coded: "hevc yuv420p10le", colors: "tv bt2020nc bt2020-10 bt2020"),
        Row(
            name: "full range", make: "-pix_fmt yuv420p -c:v libx264 -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range pc",
            output: "out.mp4", coded: "h264 yuvj420p", colors: "pc bt709 bt709 bt709"),
        Row(
            name: "pixels of 16:15", make: "-vf setsar=16/15 -c:v libx264 -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv",
            coded: "h264 yuv420p", aspect: "16:15"),
        Row(
            name: "interlaced", make: "-vf tinterlace=interleave_top,setfield=tff -c:v libx264 -flags +ildct+ilme -x264-params tff=1",
            coded: "h264 yuv420p", note: "is interlaced; each pair of its fields became one picture, by bwdif"),
        Row(
            name: "HLG", make: "-pix_fmt yuv420p10le -c:v ffv1 -colorspace bt2020nc -color_primaries bt2020 -color_trc arib-std-b67 -color_range tv",
            coded: "hevc yuv420p10le", colors: "tv bt2020nc arib-std-b67 bt2020"),
        Row(
            name: "HLG with --sdr",
            make: "-pix_fmt yuv420p10le -c:v ffv1 -colorspace bt2020nc -color_primaries bt2020 -color_trc arib-std-b67 -color_range tv",
            options: ["--sdr"], coded: "hevc yuv420p10le"),
        Row(
            name: "lossless", make: "-c:v ffv1 -c:a flac", options: ["--codec", "ffv1"], output: "out.mkv", coded: "ffv1 yuv420p", sound: ["flac"]),
    ]

    /// The footage of a row, half a second of it, and a disparity map of one distance, at which nothing is blurred.
    private func footage(_ row: Row, in scratch: Scratch) throws {
        let source = "-f lavfi -i testsrc2=s=64x36:r=24000/1001:d=0.5 "
        let sound = row.make.contains("-c:a") ? "-f lavfi -i sine=d=0.5:r=48000 " : ""
        try Probe.make(scratch("in.\(row.type)"), source + sound + row.make)
        try Probe.make(scratch("d.mkv"), "-f lavfi -i color=c=gray:s=64x36:r=24000/1001:d=0.5 -pix_fmt gray16le -c:v ffv1")
    }

    @Test("keeps what its footage has", arguments: rows)
    func table(_ row: Row) throws {
        let scratch = try Scratch()
        try footage(row, in: scratch)
        if row.name == "interlaced" {
            try Probe.make(scratch("d.mkv"), "-f lavfi -i color=c=gray:s=64x36:r=12000/1001:d=0.5 -pix_fmt gray16le -c:v ffv1")
        }
        let run = try ToolRun(
            ["render", "--video", "in.\(row.type)", "--disparity", "d.mkv", "-o", row.output] + row.options, directory: scratch.url)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(row.note.isEmpty ? !run.errors.contains("note") : run.errors.contains(row.note), "\(run.errors)")
        let (before, after) = (try Probe.report(scratch("in.\(row.type)")), try Probe.report(scratch(row.output)))
        let video = try #require(after.video)
        func text(_ parts: String?...) -> String { parts.map { $0 ?? "unknown" }.joined(separator: " ") }
        #expect(text(video.codec_name, video.pix_fmt) == row.coded)
        #expect(text(video.color_range ?? "tv", video.color_space, video.color_transfer, video.color_primaries) == row.colors)
        #expect(video.sample_aspect_ratio ?? "1:1" == row.aspect)
        #expect("\(video.width ?? 0)x\(video.height ?? 0)" == row.size)
        #expect(video.r_frame_rate == before.video?.r_frame_rate || row.output.hasSuffix("mkv"))
        #expect(after.sound.compactMap(\.codec_name) == row.sound)
        #expect(after.timecode == before.timecode)
    }

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

    @Test("has all five sound tracks, and the chapters, of the part that it shows")
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
        #expect(report.chapters?.map { $0.tags?["title"] } == ["One", "Two"])
        #expect(report.chapters?.map { Double($0.start_time) } == [0, 0.1])

        let late = try ToolRun(words + ["-o", "b.mov", "--from", "9s"], directory: scratch.url)
        #expect(late.exitCode == 66 && late.errors.contains("ends before 9.0s"), "\(late.errors)")
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
            (["-o", "a.mp4", "--codec", "prores"], "MP4 has no place for prores"), (["-o", "a.png"], "names one picture"),
            (["-o", "a.mov", "--codec", "png"], "a coding of single pictures"), (["-o", "a.%d.png", "--codec", "hevc"], "name a movie"),
            (["-o", "a.%d.png", "--codec", "exr"], "is named as png"), (["-o", "a.mkv", "--codec", "ffv1", "--quality", "9"], "loses nothing"),
            (["-o", "a.mov", "--codec", "prores", "--bitrate", "9M"], "a profile in place of a bit rate"),
            (["-o", "a.mov", "--codec", "prores", "--pixel-format", "yuv420p"], "give one of yuv422p10, yuv444p10"),
        ] as [([String], String)])
    func refusals(words: [String], message: String) throws {
        let scratch = try Scratch()
        try Probe.make(scratch("in.mkv"), "-f lavfi -i color=s=64x36:r=25:d=0.1 -c:v ffv1")
        let run = try ToolRun(["render", "--video", "in.mkv"] + words, directory: scratch.url)
        #expect(run.exitCode == 66 && run.errors.contains(message), "\(run.errors)")
        #expect(try scratch.names == ["in.mkv"])
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
