import AVFoundation
import Foundation
import MovieSupport
import Pipeline
import Testing

@testable import AVFAssets

@Suite("An asset's image generator")
struct ImageGeneratorTests {
    /// Pictures of a thirtieth of a second each, whose luma is 16 + 20 n, from a time on.
    private static func pictures(_ count: Int = 10, from start: CMTime = .zero) -> DrawnMovie {
        DrawnMovie(count, each: CMTime(value: 1, timescale: 30), from: start, width: 16, height: 8) { index, _ in
            let picture = CVPixelBuffer(width: 16, height: 8, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            memset(picture.plane(0).base, Int32(16 + 20 * index), picture.plane(0).bytesPerRow * 8)
            memset(picture.plane(1).base, 128, picture.plane(1).bytesPerRow * 4)
            return .picture(picture)
        }
    }

    private static func generator(_ file: DrawnMovie = pictures()) -> AVAssetImageGenerator {
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
        let generator = Self.generator(Self.pictures(from: start))
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
        #expect(throws: AVError.self) { try Self.generator(Self.pictures(0)).copyCGImage(at: .zero, actualTime: nil) }
    }
}
