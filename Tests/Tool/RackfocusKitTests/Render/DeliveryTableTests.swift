import Foundation
import TestSupport
import Testing

@Suite("The table of footage and movies", .enabled(if: Probe.isInstalled, "ffmpeg is not installed"))
struct DeliveryTableTests {
    /// A kind of footage, and what has to come out of it.
    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        /// Words for ffmpeg behind its moving test picture, and the file's extension.
        var make: String
        var type = "mkv"
        /// Words for a second run of ffmpeg, which copies; empty for none.
        var copy = ""
        /// Size, rate and length of the test picture.
        var picture = "s=64x36:r=24000/1001:d=0.5"
        /// Tones of 48 kHz, a track each.
        var tracks = 0
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
        /// Frames a second of the depth beside it.
        var depthRate = "24000/1001"
        var testDescription: String { name }
    }

    private static let wide = "-colorspace bt2020nc -color_primaries bt2020 -color_range tv"
    private static let narrow = "-colorspace bt709 -color_primaries bt709 -color_trc bt709"

    static let rows: [Row] = [
        Row(
            name: "23.976 frames/s, 24-bit PCM, timecode", make: "-c:v libx264 -c:a pcm_s24le -timecode 01:00:00:00", type: "mov", tracks: 1,
            coded: "h264 yuv420p", sound: ["pcm_s24le"]),
        Row(
            name: "PCM into MP4", make: "-c:v libx264 -c:a pcm_s16le", type: "mov", tracks: 1, output: "out.mp4", coded: "h264 yuv420p",
            sound: ["alac"], note: "is pcm_s16le, for which MP4 has no place; it became alac, which loses nothing"),
        Row(
            name: "FLAC and Opus into MP4", make: "-c:v libx264 -c:a flac -c:a:1 libopus", tracks: 2, output: "out.mp4", coded: "h264 yuv420p",
            sound: ["flac", "opus"]),
        Row(
            name: "FLAC into MOV", make: "-c:v libx264 -c:a flac", tracks: 1, coded: "h264 yuv420p", sound: ["pcm_s16le"],
            note: "is flac, for which MOV has no place; it became pcm_s16le, which loses nothing"),
        Row(
            name: "Opus into MOV", make: "-c:v libx264 -c:a libopus", tracks: 1, coded: "h264 yuv420p", sound: ["pcm_f32le"],
            note: "is opus, for which MOV has no place; it became pcm_f32le, which loses nothing"),
        Row(
            name: "PCM of floating point into MP4", make: "-c:v libx264 -c:a pcm_f32le", type: "mov", tracks: 1, output: "out.mp4",
            coded: "h264 yuv420p", sound: ["alac"],
            note: "numbers of floating point: they are rounded to 24 bits, and clipped where they are beyond full scale; an output that"),
        Row(
            name: "five tracks of sound", make: "-c:v libx264 -c:a aac -c:a:4 pcm_s16le", type: "mov", tracks: 5, coded: "h264 yuv420p",
            sound: ["aac", "aac", "aac", "aac", "pcm_s16le"]),
        Row(
            name: "9:16 by its pixels", make: "-c:v libx264", type: "mp4", picture: "s=36x64:r=24000/1001:d=0.5", output: "out.mp4",
            coded: "h264 yuv420p", size: "36x64"),
        Row(
            name: "9:16 by rotation", make: "-c:v libx264", type: "mov", copy: "-metadata:s:v rotate=90", coded: "h264 yuv420p", size: "36x64"),
        Row(
            name: "10-bit 4:2:2 ProRes", make: "-pix_fmt yuv422p10le -c:v prores_ks -c:a pcm_s16le", type: "mov", tracks: 1,
            coded: "hevc yuv420p10le", sound: ["pcm_s16le"]),
        Row(
            name: "ProRes, `--codec prores`", make: "-pix_fmt yuv422p10le -c:v prores_ks -c:a pcm_s16le", type: "mov", tracks: 1,
            options: ["--codec", "prores"], coded: "prores yuv422p10le", sound: ["pcm_s16le"]),
        Row(
            name: "BT.601", make: "-c:v ffv1 -colorspace smpte170m -color_primaries smpte170m -color_trc smpte170m -color_range tv",
            output: "out.mkv", coded: "h264 yuv420p", colors: "tv smpte170m smpte170m smpte170m"),
        Row(
            name: "BT.2020", make: "-pix_fmt yuv420p10le -c:v ffv1 -color_trc bt2020-10 \(wide)", coded: "hevc yuv420p10le",
            colors: "tv bt2020nc bt2020-10 bt2020"),
        Row(
            name: "full range", make: "-pix_fmt yuv420p -c:v libx264 \(narrow) -color_range pc", output: "out.mp4", coded: "h264 yuvj420p",
            colors: "pc bt709 bt709 bt709"),
        Row(
            name: "pixels of 16:15", make: "-vf setsar=16/15 -c:v libx264 \(narrow) -color_range tv", coded: "h264 yuv420p", aspect: "16:15"),
        Row(
            name: "interlaced", make: "-vf tinterlace=interleave_top,setfield=tff -c:v libx264 -flags +ildct+ilme -x264-params tff=1",
            coded: "h264 yuv420p", note: "is interlaced; each pair of its fields became one picture, by bwdif", depthRate: "12000/1001"),
        Row(
            name: "variable rate", make: "-vf select=not(eq(mod(n\\,5)\\,3)) -vsync vfr -c:v libx264", type: "mp4", coded: "h264 yuv420p",
            note: "they are nearest to no frame of"),
        Row(
            name: "4K, 4 frames", make: "-c:v libx264 -preset ultrafast", type: "mp4", picture: "s=3840x2160:r=24000/1001:d=0.15",
            coded: "h264 yuv420p", size: "3840x2160"),
        Row(
            name: "HLG", make: "-pix_fmt yuv420p10le -c:v ffv1 -color_trc arib-std-b67 \(wide)", coded: "hevc yuv420p10le",
            colors: "tv bt2020nc arib-std-b67 bt2020"),
        Row(
            name: "PQ, `--overlay`", make: "-pix_fmt yuv420p10le -c:v ffv1 -color_trc smpte2084 \(wide)", options: ["--overlay"],
            coded: "hevc yuv420p10le", colors: "tv bt2020nc smpte2084 bt2020"),
        Row(
            name: "HLG, `--sdr`", make: "-pix_fmt yuv420p10le -c:v ffv1 -color_trc arib-std-b67 \(wide)", options: ["--sdr"],
            coded: "hevc yuv420p10le"),
        Row(
            name: "FFV1 and FLAC, pixels of 16:15, `--codec ffv1`", make: "-vf setsar=16/15 -c:v ffv1 -c:a flac", tracks: 1,
            options: ["--codec", "ffv1"], output: "out.mkv", coded: "ffv1 yuv420p", aspect: "16:15", sound: ["flac"]),
    ]

    /// Footage of a row, and a disparity map of one distance, at which nothing is blurred.
    private func footage(_ row: Row, in scratch: Scratch) throws {
        let sound = (0..<row.tracks).map { "-f lavfi -i sine=f=\(300 + 100 * $0):d=0.5:r=48000 " }.joined()
        let maps = (0...row.tracks).map { "-map \($0) " }.joined()
        try Probe.make(scratch("in.\(row.type)"), "-f lavfi -i testsrc2=\(row.picture) \(sound)\(maps)\(row.make)")
        if !row.copy.isEmpty {
            try FileManager.default.moveItem(atPath: scratch("in.\(row.type)"), toPath: scratch("first.\(row.type)"))
            try Probe.make(scratch("in.\(row.type)"), "-i \(scratch("first.\(row.type)")) -c copy \(row.copy)")
        }
        let parts = row.picture.split(separator: ":")
        let depth = row.size == "36x64" ? "s=36x64" : "s=64x36"
        try Probe.make(scratch("d.mkv"), "-f lavfi -i color=c=gray:\(depth):r=\(row.depthRate):\(parts[2]) -pix_fmt gray16le -c:v ffv1")
    }

    /// Line of the page for a row's movie, as it came out.
    private func render(_ row: Row, asksMediaInfo: Bool = false) throws -> String {
        let scratch = try Scratch()
        try footage(row, in: scratch)
        let run = try ToolRun(
            ["render", "--video", "in.\(row.type)", "--disparity", "d.mkv", "-o", row.output] + row.options, directory: scratch.url)
        #expect(run.exitCode == 0, "\(row.name): \(run.errors)")
        #expect(row.note.isEmpty ? !run.errors.contains("note") : run.errors.contains(row.note), "\(row.name): \(run.errors)")
        let (before, after) = (try Probe.report(scratch("in.\(row.type)")), try Probe.report(scratch(row.output)))
        let video = try #require(after.video)
        func text(_ parts: String?...) -> String { parts.map { $0 ?? "unknown" }.joined(separator: " ") }
        let coded = text(video.codec_name, video.pix_fmt)
        let colors = text(video.color_range ?? "tv", video.color_space, video.color_transfer, video.color_primaries)
        let (aspect, size) = (video.sample_aspect_ratio ?? "1:1", "\(video.width ?? 0)x\(video.height ?? 0)")
        let sound = after.sound.compactMap(\.codec_name)
        #expect(coded == row.coded, "\(row.name)")
        #expect(colors == row.colors, "\(row.name)")
        #expect(aspect == row.aspect && size == row.size && sound == row.sound, "\(row.name)")
        #expect(after.timecode == before.timecode, "\(row.name)")
        try expectTimes(of: scratch(row.output), like: scratch("in.\(row.type)"), row)
        if asksMediaInfo { try expectMediaInfo(scratch(row.output), row) }
        let rate = row.name == "variable rate" ? "each its own" : video.r_frame_rate ?? ""
        let tracks = sound.isEmpty ? "" : sound.joined(separator: ", ")
        return "| \(row.name) | `\(row.output)` | \(coded) | \(size), \(aspect) | \(colors) | \(rate) | \(tracks) | \(after.timecode ?? "") |"
    }

    /// Expects every picture of a movie at its time in the footage.
    private func expectTimes(of movie: String, like footage: String, _ row: Row) throws {
        guard row.name != "interlaced" else { return }
        func times(_ path: String) throws -> [Double] { try Probe.packets(path).compactMap { Double($0.pts_time) }.sorted() }
        let (before, after) = (try times(footage), try times(movie))
        let first = try #require(before.first)
        #expect(before.count == after.count, "\(row.name)")
        #expect(zip(before, after).allSatisfy { abs($0 - first - $1) < 0.0011 }, "\(row.name): \(before) \(after)")
    }

    /// Expects that mediainfo reads the same.
    private func expectMediaInfo(_ path: String, _ row: Row) throws {
        let tracks = try Probe.mediaInfo(path)
        let video = try #require(tracks.first { $0["@type"] == "Video" })
        let formats = ["h264": "AVC", "hevc": "HEVC", "prores": "ProRes", "ffv1": "FFV1"]
        #expect(video["Format"] == formats[String(row.coded.prefix { $0 != " " })], "\(row.name): \(video)")
        #expect("\(video["Width"] ?? "")x\(video["Height"] ?? "")" == row.size, "\(row.name): \(video)")
        #expect(video["BitDepth"] ?? "10" == (row.coded.contains("10le") ? "10" : "8"), "\(row.name): \(video)")
        #expect(tracks.count { $0["@type"] == "Audio" } == row.sound.count, "\(row.name)")
        let transfers = ["arib-std-b67": "HLG", "smpte2084": "PQ", "bt709": "BT.709"]
        if let transfer = transfers[String(row.colors.split(separator: " ")[2])], let own = video["transfer_characteristics"] {
            #expect(own == transfer, "\(row.name)")
        }
    }

    @Test(
        "sound that begins within a frame, as a recorded broadcast's does, is there from its first whole frame on", arguments: ["out.mp4", "out.mkv"])
    func joined(output: String) throws {
        let scratch = try Scratch()
        try Probe.make(scratch("whole.ac3"), "-f lavfi -i sine=f=300:d=1:r=48000 -c:a ac3")
        try Data(contentsOf: URL(fileURLWithPath: scratch("whole.ac3"))).dropFirst(40).write(to: URL(fileURLWithPath: scratch("cut.ac3")))
        try Probe.make(scratch("in.avi"), "-f lavfi -i testsrc2=s=64x36:r=25:d=1 -i \(scratch("cut.ac3")) -c:v mpeg4 -c:a copy")
        let run = try ToolRun(["render", "--video", "in.avi", "-o", output], directory: scratch.url)
        #expect(run.exitCode == 0 && run.errors.contains("track 1 of in.avi has parts of frames"), "\(run.errors)")
        let report = try Probe.report(scratch(output))
        #expect(report.sound.map(\.codec_name) == ["ac3"])
    }

    @Test("sound that QuickTime knows by a number of RIFF alone becomes PCM in .mov", arguments: ["wmav2", "adpcm_ima_wav", "adpcm_ms"])
    func riff(coding: String) throws {
        let scratch = try Scratch()
        let sound = "-f lavfi -i sine=f=300:d=0.5:r=44100"
        try Probe.make(scratch("in.avi"), "-f lavfi -i testsrc2=s=64x36:r=25:d=0.5 \(sound) -c:v mpeg4 -c:a \(coding)")
        let run = try ToolRun(["render", "--video", "in.avi", "-o", "out.mov"], directory: scratch.url)
        #expect(run.exitCode == 0 && run.errors.contains("for which MOV has no place; it became pcm_"), "\(run.errors)")
        #expect(try Probe.report(scratch("out.mov")).sound.allSatisfy { $0.codec_name?.hasPrefix("pcm_") == true })
    }

    @Test("a broadcast that begins between two key frames says what to do")
    func betweenKeyFrames() throws {
        let scratch = try Scratch()
        try Probe.make(scratch("whole.ts"), "-f lavfi -i testsrc2=s=64x36:r=25:d=4 -c:v libx264 -g 25 -f mpegts")
        let whole = try Data(contentsOf: URL(fileURLWithPath: scratch("whole.ts")))
        try whole.dropFirst(whole.count / 188 / 7 * 188).write(to: URL(fileURLWithPath: scratch("cut.ts")))
        let run = try ToolRun(["render", "--video", "cut.ts", "-o", "out.mp4"], directory: scratch.url)
        #expect(
            run.exitCode == 66 && run.errors.contains("begins between two key frames") && run.errors.contains("-i cut.ts -c copy"), "\(run.errors)")
    }

    private static let page = Checkout.scenarios + "/FilmMakers.md"
    private static let marks = ["<!-- made by DeliveryTableTests -->\n", "<!-- end -->"]

    @Test("holds, as ffprobe reads the movies, and is what the page for film makers shows")
    func table() throws {
        let lines = try Self.rows.map { try render($0) }
        let head = [
            "| footage | movie | coding | size, pixel shape | range, matrix, transfer, primaries | frames/s | sound | timecode |",
            "|---|---|---|---|---|---|---|---|",
        ]
        let made = (head + lines).joined(separator: "\n") + "\n"
        let text = try String(contentsOfFile: Self.page, encoding: .utf8)
        let parts = text.components(separatedBy: Self.marks[0])
        let shown = parts.count == 2 ? parts[1].components(separatedBy: Self.marks[1])[0] : ""
        #expect(shown == made, "put this between the marks of Scenarios/FilmMakers.md:\n\(made)")
    }

    @Test(
        "holds as mediainfo reads the movies, too", .enabled(if: Probe.hasMediaInfo, "mediainfo is not installed"),
        arguments: rows.filter { ["five tracks of sound", "9:16 by rotation", "ProRes, `--codec prores`", "BT.2020", "HLG"].contains($0.name) })
    func mediaInfo(_ row: Row) throws { _ = try render(row, asksMediaInfo: true) }
}
