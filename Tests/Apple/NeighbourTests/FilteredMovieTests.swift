import AVFoundation
import CoreImage
import Foundation
import MovieSupport
import Pipeline
import Synchronization
import Testing

@Suite("A movie filtered by Core Image")
struct FilteredMovieTests {
    /// Movie of three pictures a tenth of a second apart, 4 × 2 pixels of 100 with one of 200 at the upper left, shown turned by 90 degrees.
    private static func turnedMovie() -> DrawnMovie {
        DrawnMovie(3, each: CMTime(value: 1, timescale: 10), width: 4, height: 2) { _, _ in
            let picture = CVPixelBuffer(width: 4, height: 2, pixelFormat: kCVPixelFormatType_32BGRA)
            for y in 0..<2 { picture.plane(0).row(y, as: UInt8.self).update(repeating: 100, count: 16) }
            picture.plane(0).row(0, as: UInt8.self).update(repeating: 200, count: 4)
            for pixel in 0..<8 { picture.plane(0).row(pixel / 4, as: UInt8.self)[4 * (pixel % 4) + 3] = 255 }
            return .picture(picture)
        }
    }

    private struct Tired: Error {}

    private static func asset() -> AVAsset {
        var environment = CaptureEnvironment(cameras: [], renderer: nil) { _ in throw AVError(.unknown) }
        environment.openAsset = { _ in turnedMovie() }
        return CaptureEnvironment.$scoped.withValue(environment) { AVAsset(url: URL(fileURLWithPath: "/turned.mov")) }
    }

    /// Blues of a picture's pixels, the top row first.
    private static func pixels(_ picture: CVPixelBuffer) -> [[UInt8]] {
        (0..<CVPixelBufferGetHeight(picture)).map { y in
            let row = picture.plane(0).row(y, as: UInt8.self)
            return (0..<CVPixelBufferGetWidth(picture)).map { row[4 * $0] }
        }
    }

    private static func read(_ asset: AVAsset, _ composition: AVVideoComposition) throws -> (
        pictures: [[[UInt8]]], times: [Double], error: (any Error)?
    ) {
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderVideoCompositionOutput(videoTracks: asset.tracks(withMediaType: .video), videoSettings: nil)
        output.videoComposition = composition
        reader.add(output)
        guard reader.startReading() else { return ([], [], reader.error) }
        var (pictures, times): ([[[UInt8]]], [Double]) = ([], [])
        while let sample = output.copyNextSampleBuffer(), let picture = sample.imageBuffer {
            pictures.append(pixels(picture))
            times.append(sample.presentationTimeStamp.seconds)
        }
        return (pictures, times, reader.error)
    }

    private static let upright: [[UInt8]] = [[100, 200], [100, 100], [100, 100], [100, 100]]

    @Test("gives the app its pictures upright, and takes what the app makes of them, at their times")
    func handler() throws {
        let asset = Self.asset()
        let extents = Mutex<[CGRect]>([])
        let same = AVVideoComposition(asset: asset) { request in
            extents.withLock { $0.append(request.sourceImage.extent) }
            request.finish(with: request.sourceImage, context: nil)
        }
        #expect(same.renderSize == CGSize(width: 2, height: 4) && same.customVideoCompositorClass != nil)
        let read = try Self.read(asset, same)
        #expect(read.pictures == [Self.upright, Self.upright, Self.upright] && read.times == [0, 0.1, 0.2] && read.error == nil)
        #expect(extents.withLock { $0 } == Array(repeating: CGRect(x: 0, y: 0, width: 2, height: 4), count: 3))

        let cropped = AVMutableVideoComposition(
            asset: asset,
            applyingCIFiltersWithHandler: { request in
                let corner = CGRect(x: 1, y: 2, width: 1, height: 2)
                let part = request.sourceImage.cropped(to: corner).transformed(by: CGAffineTransform(translationX: -1, y: -2))
                request.finish(with: part.applyingFilter("CIColorInvert"), context: CIContext(options: [.workingColorSpace: NSNull()]))
            })
        cropped.renderSize = CGSize(width: 1, height: 2)
        #expect(try Self.read(asset, cropped).pictures.first == [[55], [155]])

        let failing = AVVideoComposition(asset: asset) { request in
            if request.compositionTime == .zero { request.finish(with: request.sourceImage, context: nil) } else { request.finish(with: Tired()) }
        }
        let failed = try Self.read(asset, failing)
        #expect(failed.pictures.count == 1 && failed.error != nil)
    }

    @Test("is filtered by a function that may wait, and by one that loads it first")
    func awaited() async throws {
        let asset = Self.asset()
        let later = try await AVVideoComposition(applyingFiltersTo: asset) { parameters in
            await Task.yield()
            guard parameters.compositionTime < CMTime(value: 2, timescale: 10) else { throw Tired() }
            return AVCIImageFilteringResult(resultImage: parameters.sourceImage)
        }
        let read = try Self.read(asset, later)
        #expect(read.pictures == [Self.upright, Self.upright] && read.error != nil)
        let loaded = try await AVMutableVideoComposition.videoComposition(with: asset) { $0.finish(with: $0.sourceImage, context: nil) }
        #expect(loaded.renderSize == CGSize(width: 2, height: 4))
        let handed = await withCheckedContinuation { done in
            AVVideoComposition.videoComposition(
                with: asset, applyingCIFiltersWithHandler: { $0.finish(with: $0.sourceImage, context: nil) },
                completionHandler: { composition, error in done.resume(returning: composition?.instructions.count) })
        }
        #expect(handed == 1)
    }

    @Test("is shown by a player as it is filtered, from the moment that the composition is set")
    func played() throws {
        let item = AVPlayerItem(asset: Self.asset())
        let output = AVPlayerItemVideoOutput(pixelBufferAttributes: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
        item.add(output)
        item.videoComposition = AVVideoComposition(asset: item.asset) { request in
            request.finish(with: request.sourceImage.applyingFilter("CIColorInvert"), context: CIContext(options: [.workingColorSpace: NSNull()]))
        }
        var time = CMTime.invalid
        let picture = try #require(output.copyPixelBuffer(forItemTime: CMTime(value: 15, timescale: 100), itemTimeForDisplay: &time))
        #expect(Self.pixels(picture) == Self.upright.map { $0.map { 255 - $0 } } && time == CMTime(value: 1, timescale: 10))
        #expect((item.copy() as? AVPlayerItem)?.videoComposition?.renderSize == CGSize(width: 2, height: 4))
    }
}
