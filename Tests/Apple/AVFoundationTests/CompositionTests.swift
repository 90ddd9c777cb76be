import AVFoundation
import Foundation
import MovieSupport
import Pipeline
import Testing

@testable import AVFAssets

@Suite("A composition")
struct CompositionTests {
    /// Movie of pictures, 30 a second, each with its number in its first byte; its sound begins at a third of a second.
    private static func numberedMovie(_ count: Int) -> DrawnMovie {
        let (end, late) = (CMTime(value: Int64(count), timescale: 30), CMTime(value: 1, timescale: 3))
        let sound = CMTimeRange(start: min(late, end), end: end)
        return DrawnMovie(count, each: CMTime(value: 20, timescale: 600), width: 16, height: 8, sound: sound) { index, coding in
            switch coding {
            case .sound(let reading):
                let samples = [Float](repeating: Float(10 + index) / 128, count: reading.sampleRate / 30)
                return .sound(Sound(presentationTime: .zero, sampleRate: reading.sampleRate, layout: .mono, samples: samples))
            case .pictures(let format):
                let picture = CVPixelBuffer(width: 16, height: 8, pixelFormat: format)
                let row = picture.plane(0).row(0, as: UInt8.self)
                row.update(repeating: 0, count: 64)
                row[0] = UInt8(index)
                return .picture(picture)
            case .stored, .cinematic:
                return .data(Data([UInt8(index)]), isSync: index % 10 == 0)
            }
        }
    }

    private struct Missing: MediaFailure, CustomStringConvertible {
        var kind: MediaFailureKind { .missingFile }
        var description: String { "there is no such file" }
    }

    /// Files `NUMBER.mov` of as many pictures; any other is missing.
    static func withFiles(_ body: () async throws -> Void) async rethrows {
        var environment = CaptureEnvironment(cameras: [], renderer: nil) { _ in throw Missing() }
        environment.openAsset = { url in
            guard let count = Int(url.deletingPathExtension().lastPathComponent) else { throw Missing() }
            return numberedMovie(count)
        }
        try await CaptureEnvironment.$scoped.withValue(environment) { try await body() }
    }

    static func movie(_ count: Int) -> AVURLAsset { AVURLAsset(url: URL(fileURLWithPath: "/\(count).mov")) }

    static func frames(_ range: Range<Int>) -> CMTimeRange {
        CMTimeRange(start: CMTime(value: Int64(range.lowerBound), timescale: 30), end: CMTime(value: Int64(range.upperBound), timescale: 30))
    }

    /// Number and time, in frames, of the pictures that a reader gives.
    private static func pictures(_ composition: AVComposition, in range: CMTimeRange? = nil) throws -> [[Double]] {
        let reader = try AVAssetReader(asset: composition)
        if let range { reader.timeRange = range }
        let track = try #require(composition.tracks(withMediaType: .video).first)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
        reader.add(output)
        try #require(reader.startReading())
        var found: [[Double]] = []
        while let sample = output.copyNextSampleBuffer() {
            let number = try #require(sample.imageBuffer).plane(0).row(0, as: UInt8.self)[0]
            func frames(_ time: CMTime) -> Double { (time.seconds * 30 * 4).rounded() / 4 }
            found.append([Double(number), frames(sample.presentationTimeStamp), frames(sample.duration)])
        }
        if let error = reader.error { throw error }
        return found
    }

    /// Number of the picture that is heard with each 30th of a second of the sound; -1 where none is.
    private static func heard(_ composition: AVComposition) throws -> [Int] {
        let reader = try AVAssetReader(asset: composition)
        let settings: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false]
        let output = AVAssetReaderTrackOutput(track: composition.tracks(withMediaType: .audio)[0], outputSettings: settings)
        reader.add(output)
        try #require(reader.startReading())
        var samples: [Int16] = []
        while let sample = output.copyNextSampleBuffer() {
            #expect(sample.presentationTimeStamp == CMTime(value: Int64(samples.count), timescale: 48_000))
            let data = try #require(try sample.dataBuffer?.dataBytes())
            data.withUnsafeBytes { samples += $0.bindMemory(to: Int16.self) }
        }
        return stride(from: 0, to: samples.count, by: 1600).map { first in
            let part = samples[first..<min(first + 1600, samples.count)]
            guard let value = part.first, part.count == 1600, part.allSatisfy({ $0 == value }) else { return -1 }
            return Int((Float(value) / 256).rounded())
        }
    }

    @Test("shows the parts that were put in, pushes what is there behind them, and leaves gaps empty")
    func parts() async throws {
        try await Self.withFiles {
            let composition = AVMutableComposition()
            let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
            let source = try #require(Self.movie(40).tracks(withMediaType: .video).first)
            #expect(try Self.pictures(composition).isEmpty && composition.duration == .zero && track.segments.isEmpty)
            try track.insertTimeRange(Self.frames(10..<12), of: source, at: .zero)
            try track.insertTimeRange(Self.frames(30..<31), of: source, at: CMTime(value: 1, timescale: 30))
            try track.insertTimeRange(Self.frames(0..<1), of: source, at: CMTime(value: 5, timescale: 30))
            #expect(try Self.pictures(composition) == [[10, 0, 1], [30, 1, 1], [11, 2, 1], [0, 5, 1]])
            #expect(try Self.pictures(composition, in: Self.frames(1..<3)).map { $0[0] } == [30, 11])
            #expect(track.segments.map(\.isEmpty) == [false, false, false, true, false] && track.segments[1].sourceTrackID == 1)
            #expect(track.segments[1].timeMapping == CMTimeMapping(source: Self.frames(30..<31), target: Self.frames(1..<2)))
            #expect(track.segment(forTrackTime: CMTime(value: 4, timescale: 30))?.isEmpty == true)
            #expect(composition.duration == Self.frames(0..<6).end && track.timeRange == Self.frames(0..<6))
            #expect(composition.naturalSize == CGSize(width: 16, height: 8) && track.preferredTransform == .identity && track.naturalTimeScale == 600)

            track.removeTimeRange(Self.frames(1..<2))
            #expect(track.segments.count == 3, "what belongs together is one part again")
            track.insertEmptyTimeRange(Self.frames(0..<1))
            track.insertEmptyTimeRange(Self.frames(90..<91))
            #expect(try Self.pictures(composition) == [[10, 1, 1], [11, 2, 1], [0, 5, 1]])
            composition.removeTrack(track)
            #expect(composition.tracks.isEmpty && track.segments.isEmpty)
        }
    }

    @Test("shows a range slower or faster: later pictures move, sound is resampled, and what is cut out of a slow part stays slow")
    func speed() async throws {
        try await Self.withFiles {
            let composition = AVMutableComposition()
            let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
            let source = Self.movie(40)
            try track.insertTimeRange(Self.frames(20..<24), of: source.tracks(withMediaType: .video)[0], at: .zero)
            composition.scaleTimeRange(Self.frames(1..<3), toDuration: Self.frames(0..<6).duration)
            #expect(try Self.pictures(composition) == [[20, 0, 1], [21, 1, 3], [22, 4, 3], [23, 7, 1]])
            #expect(track.segments[1].timeMapping == CMTimeMapping(source: Self.frames(21..<23), target: Self.frames(1..<7)))
            #expect(track.timeRange == Self.frames(0..<8))
            #expect(try Self.pictures(composition, in: Self.frames(2..<5)) == [[21, 1, 3], [22, 4, 3]])
            track.removeTimeRange(Self.frames(4..<8))
            #expect(try Self.pictures(composition) == [[20, 0, 1], [21, 1, 3]])
            track.scaleTimeRange(Self.frames(0..<4), toDuration: CMTime(value: 2, timescale: 30))
            #expect(try Self.pictures(composition) == [[20, 0, 0.5], [21, 0.5, 1.5]])
            track.scaleTimeRange(Self.frames(0..<2), toDuration: .zero)
            #expect(track.timeRange == Self.frames(0..<2), "no length has no effect")

            let sound = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: kCMPersistentTrackID_Invalid))
            try sound.insertTimeRange(Self.frames(20..<24), of: source.tracks(withMediaType: .audio)[0], at: .zero)
            sound.scaleTimeRange(Self.frames(0..<2), toDuration: Self.frames(0..<6).duration)
            #expect(try Self.heard(composition) == [20, 20, 20, 21, 21, 21, 22, 23])
            let stored = try AVAssetReader(asset: composition)
            let output = AVAssetReaderTrackOutput(track: sound, outputSettings: nil)
            stored.add(output)
            #expect(!stored.startReading() || output.copyNextSampleBuffer() == nil && stored.status == .failed, "packets keep their speed")
        }
    }

    @Test("cuts pictures at the bounds of a part, and sound to the sample")
    func bounds() async throws {
        try await Self.withFiles {
            let composition = AVMutableComposition()
            let source = Self.movie(40)
            let pictures = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 5))
            let range = CMTimeRange(start: CMTime(value: 81, timescale: 120), duration: CMTime(value: 6, timescale: 120))
            try pictures.insertTimeRange(range, of: source.tracks(withMediaType: .video)[0], at: .zero)
            try pictures.insertTimeRange(Self.frames(3..<4), of: source.tracks(withMediaType: .video)[0], at: .invalid)
            #expect(try Self.pictures(composition) == [[20, 0, 0.75], [21, 0.75, 0.75], [3, 1.5, 1]])
            let sound = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 5))
            #expect(sound.trackID == 6)
            try sound.insertTimeRange(range, of: source.tracks(withMediaType: .audio)[0], at: CMTime(value: 1, timescale: 30))
            let reader = try AVAssetReader(asset: composition)
            let output = AVAssetReaderTrackOutput(track: sound, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
            reader.add(output)
            reader.startReading()
            var (start, count) = (CMTime.invalid, 0)
            while let sample = output.copyNextSampleBuffer() {
                if count == 0 { start = sample.presentationTimeStamp }
                count += sample.numSamples
            }
            #expect(start == CMTime(value: 1, timescale: 30) && count == 2400)
        }
    }

    @Test("takes all tracks of an asset, adds those that are missing, and keeps them together")
    func assets() async throws {
        try await Self.withFiles {
            let composition = AVMutableComposition()
            try await composition.insertTimeRange(Self.frames(0..<20), of: Self.movie(40), at: .zero)
            #expect(composition.tracks.map(\.mediaType) == [.video, .audio] && composition.tracks.map(\.trackID) == [1, 2])
            #expect(composition.tracks[0].preferredTransform == Self.movie(40).tracks[0].preferredTransform)
            // The sound of each begins ten pictures later.
            #expect(composition.tracks[1].segments.map(\.isEmpty) == [true, false])
            try await composition.insertTimeRange(Self.frames(0..<12), of: Self.movie(12), at: .invalid)
            let places = [0..<10, 10..<20, 20..<30, 30..<32].map(Self.frames)
            #expect(composition.tracks[1].segments.map(\.timeMapping.target) == places)
            try await composition.insertTimeRange(Self.frames(2..<4), of: Self.movie(8), at: Self.frames(5..<6).start)
            #expect(composition.tracks.map(\.timeRange.end) == [Self.frames(0..<34).end, Self.frames(0..<34).end])
            #expect(try Self.pictures(composition)[4..<8].map { $0[0] } == [4, 2, 3, 5])
            #expect(try await composition.load(.isComposable, .duration) == (true, Self.frames(0..<34).end))

            let kept = try #require(composition.copy() as? AVComposition)
            composition.removeTimeRange(Self.frames(0..<30))
            #expect(kept.duration == Self.frames(0..<34).end && !(kept is AVMutableComposition) && composition.duration == Self.frames(0..<4).end)
            #expect(try Self.pictures(composition).map { $0[0] } == [8, 9, 10, 11])
            // A composition of a composition reads the files that the first one was made of.
            let outer = AVMutableComposition()
            try await outer.insertTimeRange(Self.frames(4..<8), of: kept, at: .zero)
            #expect(outer.tracks[0].segments.map { $0.sourceURL?.lastPathComponent } == ["40.mov", "8.mov", "40.mov"])
            #expect(try Self.pictures(outer).map { $0[0] } == [4, 2, 3, 5])
            let again = try #require(kept.mutableCopy() as? AVMutableComposition)
            again.insertEmptyTimeRange(Self.frames(0..<1))
            #expect(again.duration == Self.frames(0..<35).end && kept.duration == Self.frames(0..<34).end)
        }
    }

    @Test("refuses what cannot be put in, by name, and changes nothing then")
    func refusals() async throws {
        try await Self.withFiles {
            let composition = AVMutableComposition()
            let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 1))
            let source = Self.movie(10)
            func code(_ body: () throws -> Void) -> AVError.Code? {
                do { try body() } catch { return (error as? AVError)?.code }
                return nil
            }
            let (pictures, sound) = (source.tracks[0], Self.movie(40).tracks[1])
            let empty = AVMutableComposition()
            #expect(code { try empty.insertTimeRange(Self.frames(0..<1), of: source, at: CMTime(value: -1, timescale: 1)) } != nil)
            #expect(empty.tracks.isEmpty)
            #expect(code { try track.insertTimeRange(.zero, of: pictures, at: .zero) } == .invalidCompositionTrackSegmentDuration)
            #expect(code { try track.insertTimeRange(.invalid, of: pictures, at: .zero) } == .invalidCompositionTrackSegmentDuration)
            let past = CMTime(value: -1, timescale: 30)
            #expect(code { try track.insertTimeRange(Self.frames(0..<1), of: pictures, at: past) } == .invalidCompositionTrackSegmentDuration)
            let beyond = Self.frames(10..<11)
            #expect(code { try track.insertTimeRange(beyond, of: pictures, at: .zero) } == .invalidCompositionTrackSegmentSourceStartTime)
            #expect(code { try track.insertTimeRange(Self.frames(20..<30), of: sound, at: .zero) } == .invalidSourceMedia)
            let ranges = [Self.frames(0..<1), Self.frames(20..<30)]
            #expect(code { try track.insertTimeRanges(ranges, of: [pictures, sound], at: .zero) } == .invalidSourceMedia)
            #expect(track.segments.isEmpty && composition.addMutableTrack(withMediaType: .depthData, preferredTrackID: 0) == nil)
            // A range that reaches beyond the end is cut there.
            try track.insertTimeRange(CMTimeRange(start: Self.frames(8..<9).start, duration: .positiveInfinity), of: pictures, at: .zero)
            #expect(try Self.pictures(composition).map { $0[0] } == [8, 9])
            await #expect(throws: NSError.self) {
                try await composition.insertTimeRange(Self.frames(0..<1), of: AVURLAsset(url: URL(fileURLWithPath: "/missing.mov")), at: .zero)
            }
            #expect(composition.duration == Self.frames(0..<2).end)
        }
    }
}
