import CoreMedia
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("A recording that was killed in the middle of a fragment") struct RecoveryTests {
    private static func movie() -> MovieDescription {
        MovieDescription(
            width: 160, height: 90, frameDuration: CMTime(value: 1, timescale: 30), rotation: 90, isMirrored: true,
            sound: .init(layout: .stereo, sampleRate: 48_000), metadata: ["com.apple.quicktime.title": "Take 1"], fragments: .all)
    }

    /// A recording that nobody ended, and its bytes.
    private static func unfinished(in scratch: Scratch) throws -> (path: String, bytes: Data) {
        let path = scratch("take.mov")
        let writer = try MovieFileWriter(path: path, movie: movie(), settings: .init(rate: .quality(97.5)))
        try write(0..<40, to: writer)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        writer.cancel()
        return (path, bytes)
    }

    /// Noise, so that fragments are large and take their time.
    private static func write(_ frames: Range<Int>, to writer: MovieFileWriter) throws {
        for index in frames {
            let time = CMTime(value: Int64(index), timescale: 30)
            try writer.append(Picture.noise(index, width: 160, height: 90), at: time)
            try writer.append(SoundTrackTests.click(at: 800, of: 1600, layout: .stereo, from: time))
        }
    }

    /// Checks that what is there plays, and that its recovered copy is an ordinary movie of the same frames.
    private func check(_ path: String, in scratch: Scratch) throws -> Int {
        let frames = try MovieTests.frames(VideoFileSource(path: path))
        #expect(frames.map(\.presentationTime) == (0..<frames.count).map { CMTime(value: Int64($0), timescale: 30) })
        #expect(frames.first?.image.size ?? (0, 0) == (90, 160), "turned upright")
        let copy = scratch("recovered.mov")
        let result = try MovieRecovery.recover(path, to: copy, replacingExisting: true)
        let boxes = try FragmentTests.boxes(copy)
        #expect(boxes.contains("moov") && !boxes.contains("moof") && boxes.firstIndex(of: "moov")! < boxes.firstIndex(of: "mdat")!)
        let source = try VideoFileSource(path: copy)
        #expect(source.metadata["com.apple.quicktime.title"] == "Take 1")
        let again = try MovieTests.frames(source)
        #expect(again.map(\.presentationTime) == frames.map(\.presentationTime) && again.first?.image.size ?? (0, 0) == (90, 160))
        #expect(result.seconds >= Double(frames.count) / 30 - 0.001)
        // A fragment has the sound behind the pictures: cut in the first, it may have none.
        let hasSound = result.tracks.contains { $0.kind == .sound && $0.samples > 0 }
        let heard = hasSound ? try SoundFile.read(copy).duration.seconds : 0
        #expect(abs(heard - Double(frames.count) / 30) < 0.3)
        return frames.count
    }

    @Test("plays every whole sample, wherever the file is cut", arguments: [1, 2, 3])
    func cut(seed: UInt64) throws {
        let scratch = try Scratch()
        let (path, bytes) = try Self.unfinished(in: scratch)
        var random = SplitMix(state: seed)
        var counts: [(length: Int, frames: Int)] = []
        for _ in 0..<4 {
            let length = Int(random.next() % UInt64(bytes.count))
            try bytes.prefix(length).write(to: URL(fileURLWithPath: path))
            let scan = try FragmentScan(InputFile(path: path), revealing: false)
            #expect(scan.end <= length)
            if scan.fragments > 0 {
                counts.append((length, try check(path, in: scratch)))
            } else {
                #expect(throws: MediaError.self, "cut at \(length)") { try VideoFileSource(path: path) }
                let error = #expect(throws: MediaError.self) { try MovieRecovery.recover(path, to: scratch("nothing.mov")) }
                #expect(try error?.description.contains("no whole fragment") == true && !scratch.names.contains("nothing.mov"))
            }
        }
        let frames = counts.sorted { $0.length < $1.length }.map(\.frames)
        #expect(frames == frames.sorted() && frames.allSatisfy { (1...40).contains($0) }, "seed \(seed): \(counts)")
    }

    @Test("keeps of a fragment that is cut the frames before the cut")
    func cutFragment() throws {
        let scratch = try Scratch()
        let (path, bytes) = try Self.unfinished(in: scratch)
        try bytes.write(to: URL(fileURLWithPath: path))
        let scan = try FragmentScan(InputFile(path: path), revealing: false)
        try #require(!scan.isCut && scan.fragments > 2)
        // Noise makes every frame about as large, and a fragment holds three or four, the sound behind them.
        let whole = try MovieTests.frames(VideoFileSource(path: path)).count
        let media = try #require(bytes.lastRange(of: Data("mdat".utf8)))
        let counts = try [2, 6, 8].map { eighths -> Int in
            let length = media.upperBound + (bytes.count - media.upperBound) * eighths / 8
            try bytes.prefix(length).write(to: URL(fileURLWithPath: path))
            return try check(path, in: scratch)
        }
        #expect(counts[2] == whole && counts[0] < counts[1] && counts[1] < whole && counts[0] >= whole - 3, "\(counts) of \(whole)")
    }

    @Test("stays as it is where no file can be opened any more, and plays")
    func noDescriptors() async throws {
        let scratch = try Scratch()
        let path = scratch("take.mov")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let writer = try MovieFileWriter(path: path, movie: RecoveryTests.movie(), settings: .init(rate: .quality(97.5)))
            try RecoveryTests.write(0..<40, to: writer)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 0
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            try writer.finish()
        }
        #expect(try FragmentTests.boxes(path).contains("moof"))
        #expect(try check(path, in: scratch) == 40)
    }

    @Test(
        "is read by FFmpeg's own tools once recovered", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffprobe"), "no ffprobe"))
    func ffprobe() throws {
        let scratch = try Scratch()
        let (path, bytes) = try Self.unfinished(in: scratch)
        try bytes.dropLast(1000).write(to: URL(fileURLWithPath: path))
        let count = try check(path, in: scratch)
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ffprobe")
        process.arguments = ["-v", "error", "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0"]
        process.arguments?.append(scratch("recovered.mov"))
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(said.prefix { $0.isNumber } == "\(count)", "ffprobe says: \(said)")
    }

    @Test("of a finished movie that was cut says the length that the copy has, and refuses one without a whole sample")
    func cutMovie() throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("a.mp4"), frames: 40)
        let whole = try Data(contentsOf: URL(fileURLWithPath: scratch("a.mp4")))
        let media = try #require(whole.range(of: Data("mdat".utf8))).upperBound
        for share in [0.5, 0.7, 0.99] {
            try whole.prefix(media + Int(Double(whole.count - media) * share)).write(to: URL(fileURLWithPath: scratch("cut.mp4")))
            let result = try MovieRecovery.recover(scratch("cut.mp4"), to: scratch("b.mp4"), replacingExisting: true)
            let copy = try Data(contentsOf: URL(fileURLWithPath: scratch("b.mp4")))
            let header = BigEndian([UInt8](copy[try #require(copy.range(of: Data("mvhd".utf8))).upperBound...].prefix(20)))
            let length = try Double(#require(header.uint32(at: 16))) / Double(#require(header.uint32(at: 12)))
            #expect(abs(result.seconds - length) < 0.002 && length > 0.1, "\(share): \(result) of \(length) s")
        }
        try whole.prefix(media + 2).write(to: URL(fileURLWithPath: scratch("cut.mp4")))
        let error = #expect(throws: MediaError.self) { try MovieRecovery.recover(scratch("cut.mp4"), to: scratch("c.mp4")) }
        #expect(try error?.reason == "holds no whole sample: it was cut off before the first one was" && !scratch.names.contains("c.mp4"))
    }

    @Test("says that an ordinary movie has nothing to recover")
    func ordinary() throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(path: scratch("a.mov"), movie: FragmentTests.movie())
        try FragmentTests.write(0..<10, to: writer)
        try writer.finish()
        let error = #expect(throws: MediaError.self) { try MovieRecovery.recover(scratch("a.mov"), to: scratch("b.mov")) }
        #expect(try error?.description.contains("ordinary movie") == true && scratch.names == ["a.mov"])
    }
}
