import CoreMedia
import CoreVideo
import Foundation
import Optics
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("A cinematic movie") struct CinematicMovieTests {
    static func movie(
        sound: Sound.Layout? = .stereo, fragments: MovieDescription.Fragments = .all, rotation: Int = 0
    ) -> MovieDescription {
        var movie = MovieDescription(
            width: 64, height: 36, frameDuration: CMTime(value: 1001, timescale: 30_000), rotation: rotation,
            sound: sound.map { .init(layout: $0, sampleRate: 48_000) }, metadata: ["com.apple.quicktime.title": "Take 1"], fragments: fragments)
        movie.cinematic = .init(width: 16, height: 9)
        return movie
    }

    static func time(_ index: Int) -> CMTime { CMTime(value: 1001 * Int64(index), timescale: 30_000) }

    /// A slope that moves, with every value between its codes.
    static func map(_ index: Int) -> DisparityMap {
        let buffer = CVPixelBuffer(width: 16, height: 9, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<9 {
            for x in 0..<16 { buffer.plane(0).row(y, as: Float.self)[x] = Float(x * x + 3 * y + index) / 317 }
        }
        return DisparityMap(buffer: buffer, isMetric: true)
    }

    static func frame(_ index: Int) -> CinematicFrame {
        let map = map(index)
        let face = Detection(
            objectID: 1, groupID: 1, kind: .face, bounds: CGRect(x: 0.1, y: 0.2, width: 0.25, height: 0.5), disparity: Double(index) / 7,
            label: "maya")
        var sample = CinematicSample(
            lens: Lens(focalLength: 26, fNumber: 2.8), sensorWidth: 64, disparity: DisparityCoding(of: map),
            focus: FocusState(focusDisparity: Double(index) / 7, subject: 1, mode: .weak, fixedPoint: CGPoint(x: 0.25, y: 0.125)), detections: [face])
        if index == 2 {
            sample.decisions = [
                FocusDecision(time: time(2).nanoseconds, subject: 1, mode: .weak, isUserDecision: false, why: .entered, disparity: 2 / 7)
            ]
        }
        return CinematicFrame(sample: sample, disparity: map)
    }

    static func write(_ frames: Range<Int>, to writer: MovieFileWriter, sound: Sound.Layout? = .stereo) throws {
        for index in frames {
            try writer.append(Picture.moving(index), with: frame(index), at: time(index))
            if let sound { try writer.append(SoundTrackTests.click(at: 800, of: 1602, layout: sound, from: time(index))) }
        }
    }

    static func values(_ map: DisparityMap) -> [Float] {
        (0..<map.height).flatMap { Array(UnsafeBufferPointer(start: map.row($0), count: map.width)) }
    }

    /// Reads a movie, compares all of it with what was written, and gives the number of its frames.
    @discardableResult
    static func check(_ path: String) throws -> Int {
        let contents = try MovieReader(path: path).contents
        let source = try CinematicFileSource(path: path)
        let metadata = try CinematicMetadataReader(path: path, start: .zero)
        var count = 0
        while let (read, sample) = try source.next() {
            let written = frame(count)
            #expect(read.index == count && read.presentationTime == time(count))
            let entry = try #require(try metadata.next())
            #expect(sample == written.sample && entry.sample == sample && entry.number == count)
            let disparity = try #require(read.disparity)
            #expect(disparity.isMetric && values(disparity) == values(written.sample.disparity.coded(written.disparity)))
            count += 1
        }
        #expect(contents.metadata["com.apple.quicktime.title"] == "Take 1" && contents.metadata[CinematicTracks.item] == "1")
        return count
    }

    @Test(
        "comes back with pictures, disparity and metadata bit for bit, whole or in fragments",
        arguments: [MovieDescription.Fragments.none, .all, .every(.invalid)], [nil, Sound.Layout.stereo, .firstOrderAmbisonics])
    func roundTrip(fragments: MovieDescription.Fragments, sound: Sound.Layout?) throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(path: scratch("take.mov"), movie: Self.movie(sound: sound, fragments: fragments))
        try Self.write(0..<20, to: writer, sound: sound)
        try writer.finish()
        #expect(try Self.check(scratch("take.mov")) == 20)
        let tracks = try MovieReader(path: scratch("take.mov")).contents.tracks
        let sounds: [MovieContents.Track.Kind] = sound == nil ? [] : sound == .firstOrderAmbisonics ? [.sound, .sound] : [.sound]
        #expect(tracks.map(\.kind) == [.picture] + sounds + [.disparity, .metadata])
        if sound == .firstOrderAmbisonics {
            // Stereo first: the track that players take.
            #expect(tracks.map(\.channels).filter { $0 > 0 } == [2, 4] && tracks.map(\.coding).prefix(3) == ["h264", "aac", "pcm_s24le"])
            #expect(try SoundFile.read(scratch("take.mov")).layout == .stereo)
        }
        #expect(tracks.filter { $0.kind != .sound }.allSatisfy { $0.sampleCount == 20 })
        #expect(try FragmentTests.boxes(scratch("take.mov")).contains("moof") == false)
    }

    @Test("keeps the metadata of its last frame, with one, two or three in the last fragment", arguments: 6...8)
    func lastFrame(frames: Int) throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(path: scratch("take.mov"), movie: Self.movie(sound: nil))
        try Self.write(0..<frames, to: writer, sound: nil)
        try writer.finish()
        #expect(try Self.check(scratch("take.mov")) == frames)
    }

    @Test("whose frames come unevenly is opened at each of them with its own map and metadata, and ends in all tracks with the last picture")
    func unevenly() throws {
        let scratch = try Scratch()
        let times = (0..<12).map { (index: Int64) in CMTime(value: index / 2 * 7 + index % 2, timescale: 100) }
        var movie = Self.movie(sound: nil, fragments: .none)
        (movie.frameDuration, movie.end) = (CMTime(value: 35, timescale: 1000), CMTime(value: 2, timescale: 1))
        let writer = try MovieFileWriter(path: scratch("take.mov"), movie: movie)
        for (index, time) in times.enumerated() { try writer.append(Picture.moving(index), with: Self.frame(index), at: time) }
        try writer.finish()
        for (index, time) in times.enumerated() {
            var (span, source) = (FootageSpan(), try CinematicFileSource(path: scratch("take.mov")))
            try source.seek(to: index, at: time)
            let sought = try #require(try source.next())
            span.from = .time(time)
            source = try CinematicFileSource(path: scratch("take.mov"), reading: FootageReading(span: span))
            let first = try #require(try source.next())
            for (read, sample) in [sought, first] {
                let written = Self.frame(index)
                #expect(read.index == index && read.presentationTime == time && sample == written.sample)
                #expect(try Self.values(#require(read.disparity)) == Self.values(written.sample.disparity.coded(written.disparity)), "frame \(index)")
            }
        }
        let tracks = try MovieReader(path: scratch("take.mov")).contents.tracks
        #expect(tracks.allSatisfy { abs($0.timeRange.end.seconds - 2) < 0.001 }, "\(tracks.map(\.timeRange.end.seconds))")
    }

    @Test("has the references, the handler and the ambisonic mark that FFmpeg does not write")
    func marks() throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(path: scratch("take.mov"), movie: Self.movie(sound: .firstOrderAmbisonics))
        try Self.write(0..<4, to: writer, sound: .firstOrderAmbisonics)
        try writer.finish()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("take.mov")))
        for reference in ["vdep", "cdsc"] {
            // The box `tref` of 20 bytes, and in it the reference to track 1.
            let box = Data([0, 0, 0, 20]) + Data("tref".utf8) + Data([0, 0, 0, 12]) + Data(reference.utf8) + Data([0, 0, 0, 1])
            #expect(bytes.range(of: box) != nil, "no reference \(reference)")
        }
        #expect(bytes.range(of: Data("auxv".utf8)) != nil && bytes.range(of: Data("SA3D".utf8)) != nil)
        #expect(bytes.range(of: Data("Disparity ".utf8)) == nil && bytes.range(of: Data("SoundHandler ".utf8)) == nil)
    }

    @Test("that was cut off is recovered with all its tracks, and the count of each is said")
    func recovery() throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(path: scratch("take.mov"), movie: Self.movie())
        try Self.write(0..<40, to: writer)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("take.mov")))
        writer.cancel()
        try bytes.write(to: URL(fileURLWithPath: scratch("cut.mov")))
        let error = #expect(throws: MediaError.self) { try MovieRecovery.recover(scratch("cut.mov"), to: scratch("whole.mp4")) }
        #expect(error?.reason.contains("name the movie .mov") == true)
        for length in stride(from: bytes.count, to: bytes.count / 2, by: -bytes.count / 11) {
            try bytes.prefix(length).write(to: URL(fileURLWithPath: scratch("cut.mov")))
            let result = try MovieRecovery.recover(scratch("cut.mov"), to: scratch("whole.mov"), replacingExisting: true)
            let frames = try Self.check(scratch("whole.mov"))
            let counts = result.tracks.filter { $0.kind != .sound }.map(\.samples)
            #expect(counts.count == 3 && counts.min() == frames && counts.max()! - frames <= 4, "\(counts), but \(frames) frames")
            #expect(frames > 0 && result.tracks.map(\.kind) == [.picture, .sound, .disparity, .metadata])
        }
    }

    @Test("that is to be shown turned has its maps, boxes and points turned with the pictures")
    func rotation() throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(path: scratch("take.mov"), movie: Self.movie(rotation: 90))
        try Self.write(0..<2, to: writer)
        try writer.finish()
        let (frame, sample) = try #require(try CinematicFileSource(path: scratch("take.mov")).next())
        #expect(frame.image.size == (36, 64))
        let (map, stored) = (try #require(frame.disparity), Self.frame(0).sample.disparity.coded(Self.map(0)))
        #expect((map.width, map.height) == (9, 16) && map.row(0)[8] == stored.row(0)[0] && map.row(0)[0] == stored.row(8)[0])
        let box = sample.detections[0].bounds
        #expect(abs(box.minX - 0.3) < 1e-12 && abs(box.minY - 0.1) < 1e-12 && abs(box.width - 0.5) < 1e-12 && abs(box.height - 0.25) < 1e-12)
        #expect(sample.focus.fixedPoint == CGPoint(x: 0.875, y: 0.25))
    }

    @Test(
        "that is to be shown turned or mirrored has the heads' roll and yaw turned with it",
        arguments: [(0, false, 20.0, 30.0), (90, false, 110, 30), (270, false, 290, 30), (0, true, 340, -30), (90, true, 250, -30)])
    func posture(rotation: Int, isMirrored: Bool, roll: Double, yaw: Double) throws {
        let scratch = try Scratch()
        var movie = Self.movie(rotation: rotation)
        movie.isMirrored = isMirrored
        let writer = try MovieFileWriter(path: scratch("take.mov"), movie: movie)
        var frame = Self.frame(0)
        (frame.sample.detections[0].roll, frame.sample.detections[0].yaw) = (20, 30)
        try writer.append(Picture.moving(0), with: frame, at: .zero)
        try writer.append(Picture.moving(1), with: Self.frame(1), at: CMTime(value: 1001, timescale: 30_000))
        try writer.finish()
        let sample = try #require(try CinematicFileSource(path: scratch("take.mov")).next()).sample
        let (turned, faced) = (try #require(sample.detections[0].roll), try #require(sample.detections[0].yaw))
        #expect(abs(turned - roll) < 1e-9 && abs(faced - yaw) < 1e-9, "\(turned), \(faced)")
    }

    @Test("that lacks its metadata is refused")
    func plain() throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(path: scratch("plain.mov"), movie: FragmentTests.movie())
        try FragmentTests.write(0..<3, to: writer)
        try writer.finish()
        let error = #expect(throws: MediaError.self) { try CinematicFileSource(path: scratch("plain.mov")) }
        #expect(error?.reason.hasPrefix("is no cinematic movie of ours") == true)
    }

    @Test("is not begun in another container, and takes no picture without its map")
    func refusals() throws {
        let scratch = try Scratch()
        let error = #expect(throws: MediaError.self) { try MovieFileWriter(path: scratch("take.mp4"), movie: Self.movie()) }
        #expect(error?.reason.contains("name it .mov") == true)
        let writer = try MovieFileWriter(path: scratch("take.mov"), movie: Self.movie())
        #expect(throws: MediaError.self) { try writer.append(Picture.moving(0), at: .zero) }
        writer.cancel()
    }
}
