import AVFoundation
import Foundation
import Pipeline
import Synchronization
import Testing

@testable import AVFAssets

@Suite("An asset's image generator")
struct ImageGeneratorTests {
    /// Ten pictures a third of a second long, whose luma is ten times their number, from a time on; turned by 90 degrees.
    private final class TenPictures: MovieFile {
        let contents: MovieContents
        private let start: CMTime
        init(hasPictures: Bool = true, from start: CMTime = .zero) {
            self.start = start
            let range = CMTimeRange(start: start, duration: CMTime(value: 1, timescale: 3))
            var track = MovieContents.Track(number: 1, kind: .picture, codec: 0x6176_6331, timescale: 30, timeRange: range, sampleCount: 10)
            (track.width, track.height, track.frameDuration, track.rotation) = (16, 8, CMTime(value: 1, timescale: 30), 90)
            contents = MovieContents(tracks: hasPictures ? [track] : [], duration: range.duration, metadata: [:])
        }

        func reader(of track: Int, in range: CMTimeRange, as coding: MovieSample.Coding) throws -> any MovieTrackReader {
            Reader(range, from: start)
        }

        func cinematicFrames(_ reading: FootageReading, edited: [CinematicSample]?) throws -> any CinematicFrameSource { throw NotCinematic() }
    }

    private struct NotCinematic: Error {}

    private final class Reader: MovieTrackReader {
        private let left: Mutex<[Int]>
        private let start: CMTime
        init(_ range: CMTimeRange, from start: CMTime) {
            func time(_ index: Int) -> CMTime { start + CMTime(value: Int64(index), timescale: 30) }
            left = Mutex((0..<10).filter { time($0 + 1) > range.start && time($0) < range.end })
            self.start = start
        }

        func next() throws -> MovieSample? {
            guard let index = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return nil }
            let picture = CVPixelBuffer(width: 16, height: 8, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            memset(picture.plane(0).base, Int32(16 + 20 * index), picture.plane(0).bytesPerRow * 8)
            memset(picture.plane(1).base, 128, picture.plane(1).bytesPerRow * 4)
            return MovieSample(
                time: start + CMTime(value: Int64(index), timescale: 30), duration: CMTime(value: 1, timescale: 30), content: .picture(picture))
        }
    }

    private static func generator(_ file: TenPictures = TenPictures()) -> AVAssetImageGenerator {
        var environment = CaptureEnvironment(cameras: [], renderer: nil) { _ in throw AVError(.unknown) }
        environment.openAsset = { _ in file }
        return CaptureEnvironment.$scoped.withValue(environment) {
            AVAssetImageGenerator(asset: AVAsset(url: URL(fileURLWithPath: "/nowhere/ten.mov")))
        }
    }

    private static func green(_ image: CGImage) throws -> Int { Int(try #require(image.dataProvider?.data)[1]) }

    @Test("gives the picture that is shown at a time, and the last beyond the end", arguments: [(0, 0), (100, 3), (120, 3), (330, 9), (4000, 9)])
    func picture(_ milliseconds: Int64, _ index: Int) throws {
        var actual = CMTime.zero
        let image = try Self.generator().copyCGImage(at: CMTime(value: milliseconds, timescale: 1000), actualTime: &actual)
        #expect(actual == CMTime(value: Int64(index), timescale: 30) && image.width == 16 && image.height == 8)
        // 255 codes of a bitmap to 219 of video.
        #expect(abs(try Self.green(image) - Int(Double(20 * index) / 219 * 255)) <= 1)
    }

    @Test("gives the first picture of a track that begins late, unless its time is not tolerated")
    func late() async throws {
        let start = CMTime(value: 3, timescale: 10)
        let generator = Self.generator(TenPictures(from: start))
        #expect(try await generator.image(at: .zero).actualTime == start)
        generator.requestedTimeToleranceAfter = CMTime(value: 1, timescale: 10)
        #expect(throws: AVError.self) { try generator.copyCGImage(at: .zero, actualTime: nil) }
    }

    @Test("turns pictures upright and scales them down when asked")
    func posture() async throws {
        let generator = Self.generator()
        generator.appliesPreferredTrackTransform = true
        let upright = try await generator.image(at: .zero).image
        #expect(upright.width == 8 && upright.height == 16)
        generator.maximumSize = CGSize(width: 0, height: 8)
        let small = try await generator.image(at: .zero).image
        #expect(small.width == 4 && small.height == 8)
    }

    @Test("gives a list of pictures, with an error where there is none")
    func list() async throws {
        var found: [Int?] = []
        for await result in Self.generator().images(for: [CMTime(value: 1, timescale: 30), CMTime(value: -1, timescale: 30), .zero]) {
            found.append((try? result.actualTime).map { Int($0.value * 30 / Int64($0.timescale)) })
            if case .failure(_, let error) = result { #expect((error as? AVError)?.code == .noImageAtTime) }
        }
        #expect(found == [1, nil, 0])
        #expect(throws: AVError.self) { try Self.generator(TenPictures(hasPictures: false)).copyCGImage(at: .zero, actualTime: nil) }
    }
}
