import AVFoundation
import Foundation
import Pipeline
import Testing

@testable import AVFAssets

@Suite("A video composition")
struct VideoCompositionTests {
    /// Compositor that writes the numbers of two tracks' pictures beside each other.
    private class Adder: NSObject, AVVideoCompositing, @unchecked Sendable {
        struct Tired: Error {}
        var sourcePixelBufferAttributes: [String: Any]? { [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA] }
        var requiredPixelBufferAttributesForRenderContext: [String: Any] {
            [kCVPixelBufferPixelFormatTypeKey as String: [kCVPixelFormatType_32BGRA]]
        }
        func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}

        func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
            guard request.compositionTime < CMTime(value: 1, timescale: 1), let output = request.renderContext.newPixelBuffer() else {
                return request.finish(with: Tired())
            }
            for place in 0..<2 {
                let picture = request.sourceFrame(byTrackID: CMPersistentTrackID(place + 1))
                output.plane(0).row(0, as: UInt8.self)[place] = picture?.plane(0).row(0, as: UInt8.self)[0] ?? 255
            }
            request.finish(withComposedVideoFrame: output)
        }
    }

    private final class Instruction: NSObject, AVVideoCompositionInstructionProtocol {
        let (timeRange, enablePostProcessing, containsTweening): (CMTimeRange, Bool, Bool)
        let passthroughTrackID: CMPersistentTrackID
        let tracks: [CMPersistentTrackID]?
        var requiredSourceTrackIDs: [NSValue]? { tracks.map { $0.map { NSNumber(value: $0) } } }

        init(_ range: Range<Int>, passing: CMPersistentTrackID = kCMPersistentTrackID_Invalid, needing tracks: [CMPersistentTrackID]? = nil) {
            timeRange = CompositionTests.frames(range)
            (enablePostProcessing, containsTweening, passthroughTrackID, self.tracks) = (false, false, passing, tracks)
        }
    }

    /// Two tracks of pictures of one movie, the second five pictures later, and a gap at its end.
    private static func composition() throws -> AVMutableComposition {
        let (composition, source) = (AVMutableComposition(), CompositionTests.movie(60).tracks(withMediaType: .video)[0])
        let first = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 1))
        let second = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 2))
        try first.insertTimeRange(CompositionTests.frames(0..<50), of: source, at: .zero)
        try second.insertTimeRange(CompositionTests.frames(5..<13), of: source, at: .zero)
        return composition
    }

    private static func read(
        _ change: (AVMutableVideoComposition) -> Void, in range: Range<Int> = 0..<10
    ) throws -> (pictures: [[UInt8]], times: [Double], error: (any Error)?) {
        let composition = try composition()
        let described = AVMutableVideoComposition()
        described.customVideoCompositorClass = Adder.self
        described.renderSize = CGSize(width: 8, height: 4)
        described.frameDuration = CMTime(value: 1, timescale: 15)
        described.instructions = [Instruction(0..<50)]
        change(described)
        let reader = try AVAssetReader(asset: composition)
        reader.timeRange = CompositionTests.frames(range)
        let output = AVAssetReaderVideoCompositionOutput(videoTracks: composition.tracks(withMediaType: .video), videoSettings: nil)
        output.videoComposition = described
        reader.add(output)
        guard reader.startReading() else { return ([], [], reader.error) }
        var (pictures, times): ([[UInt8]], [Double]) = ([], [])
        while let sample = output.copyNextSampleBuffer(), let image = sample.imageBuffer {
            pictures.append([image.plane(0).row(0, as: UInt8.self)[0], image.plane(0).row(0, as: UInt8.self)[1]])
            times.append((sample.presentationTimeStamp.seconds * 30).rounded())
        }
        return (pictures, times, reader.error)
    }

    @Test("makes a picture of those that its tracks show, at its own rate or at that of a track")
    func times() async throws {
        try await CompositionTests.withFiles {
            let own = try Self.read { _ in }
            #expect(own.times == [0, 2, 4, 6, 8] && own.pictures == [[0, 5], [2, 7], [4, 9], [6, 11], [8, 255]] && own.error == nil)
            let track = try Self.read({ $0.sourceTrackIDForFrameTiming = 2 }, in: 3..<10)
            #expect(track.times == [3, 4, 5, 6, 7] && track.pictures.first == [3, 8])
            let scaled = try Self.read { $0.renderScale = 0.5 }
            #expect(scaled.pictures.count == 5 && scaled.error == nil)
        }
    }

    @Test("follows its instructions: what they need, what they pass on, and where the last one ends")
    func instructions() async throws {
        try await CompositionTests.withFiles {
            let read = try Self.read { $0.instructions = [Instruction(0..<4, needing: [2]), Instruction(4..<8, passing: 1)] }
            #expect(read.pictures.map { $0[0] } == [255, 255, 4, 6] && read.pictures[0][1] == 5 && read.times == [0, 2, 4, 6])
        }
    }

    @Test("without a compositor draws layers over a background: moved, faded and cropped, the first on top")
    func layers() async throws {
        try await CompositionTests.withFiles {
            let composition = try Self.composition()
            let (first, second) = (composition.tracks[0], composition.tracks[1])
            let bottom = AVMutableVideoCompositionLayerInstruction(assetTrack: first)
            bottom.setTransform(CGAffineTransform(translationX: 4, y: 2), at: .zero)
            bottom.setOpacityRamp(fromStartOpacity: 1, toEndOpacity: 0, timeRange: CompositionTests.frames(4..<6))
            let top = AVMutableVideoCompositionLayerInstruction(assetTrack: second)
            top.setCropRectangle(CGRect(x: 0, y: 0, width: 1, height: 1), at: .zero)
            top.setTransform(CGAffineTransform(translationX: 6, y: 2), at: .zero)
            let instruction = AVMutableVideoCompositionInstruction()
            instruction.timeRange = CompositionTests.frames(0..<50)
            instruction.backgroundColor = CGColor(red: 0, green: 0, blue: 200.0 / 255, alpha: 1)
            instruction.layerInstructions = [top, bottom]
            #expect(instruction.containsTweening && instruction.requiredSourceTrackIDs?.count == 2)
            let described = AVMutableVideoComposition()
            (described.renderSize, described.instructions) = (CGSize(width: 24, height: 12), [instruction])
            let reader = try AVAssetReader(asset: composition)
            reader.timeRange = CompositionTests.frames(0..<10)
            let output = AVAssetReaderVideoCompositionOutput(videoTracks: [first, second], videoSettings: nil)
            output.videoComposition = described
            reader.add(output)
            try #require(reader.startReading())
            var blues: [[UInt8]] = []
            while let sample = output.copyNextSampleBuffer(), let image = sample.imageBuffer {
                let row = image.plane(0).row(2, as: UInt8.self)
                blues.append([0, 4, 5, 6, 7].map { row[4 * $0] })
            }
            // Background, the picture's number, its black, the number of the picture on top, black again; half faded; gone.
            #expect(blues[3] == [200, 3, 0, 8, 0] && blues[5][0...1] == [200, 103] && blues[6] == [200, 200, 200, 11, 200], "\(blues)")
            #expect(blues[9][3] == 200, "where a track has no picture there is none")
        }
    }

    @Test("of an asset's own properties shows its pictures upright, at their rate")
    func properties() async throws {
        try await CompositionTests.withFiles {
            let described = AVMutableVideoComposition(propertiesOf: CompositionTests.movie(30))
            #expect(described.renderSize == CGSize(width: 8, height: 16) && described.frameDuration == CMTime(value: 1, timescale: 30))
            let layer = try #require((described.instructions.first as? AVVideoCompositionInstruction)?.layerInstructions.first)
            #expect(layer.trackID == 1 && layer.transform(at: .zero) == CompositionTests.movie(30).tracks[0].preferredTransform)
            let same = try await AVVideoComposition.videoComposition(withPropertiesOf: CompositionTests.movie(30))
            #expect(same.renderSize == described.renderSize && !(same is AVMutableVideoComposition))
        }
    }

    @Test("that cannot be drawn is refused with its reason; the compositor's error ends the reading")
    func failures() async throws {
        try await CompositionTests.withFiles {
            func reason(_ change: (AVMutableVideoComposition) -> Void) throws -> String {
                let error = try #require(try Self.read(change).error as? AVError)
                #expect(error.code == .invalidVideoComposition)
                return error.localizedDescription
            }
            #expect(try reason { $0.renderSize = .zero }.contains("renderSize"))
            #expect(try reason { $0.frameDuration = .zero }.contains("frameDuration"))
            #expect(try reason { $0.instructions = [] }.contains("no instructions"))
            #expect(try reason { $0.instructions = [Instruction(0..<4), Instruction(5..<9)] }.contains("begins at"))
            #expect(try reason { $0.sourceSampleDataTrackIDs = [9] }.contains("track 9"))
            let late = try Self.read({ _ in }, in: 28..<40)
            #expect(late.times == [28] && late.error is Adder.Tired)
        }
    }
}
