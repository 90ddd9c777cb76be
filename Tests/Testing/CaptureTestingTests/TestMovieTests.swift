import AVFoundation
import CaptureTesting
import CoreVideo
import Foundation
import TestSupport
import Testing

@Suite("Movies of a test's phone")
struct TestMovieTests {
    @Test("take timed metadata beside the pictures of a writer")
    func metadata() async throws {
        try await withTestPhone { phone in
            let scratch = try Scratch()
            let url = scratch.url.appending(path: "a.mov")
            // The identifier as it is, where Apple's dictionaries have its text.
            let place: NSDictionary = [
                kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: AVMetadataIdentifier.quickTimeMetadataLocationISO6709,
                kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709,
            ]
            var description: CMFormatDescription?
            let status = CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
                allocator: nil, metadataType: kCMMetadataFormatType_Boxed, metadataSpecifications: [place] as CFArray,
                formatDescriptionOut: &description)
            try #require(status == 0)
            let metadata = AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: description)
            let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: metadata)
            let settings: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 36]
            let video = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
            let pictures = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video)
            #expect(video.outputSettings?[AVVideoWidthKey] as? UInt32 == 64 && video.outputSettings?[AVVideoCodecKey] as? String == "avc1")
            let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
            writer.add(video)
            writer.add(metadata)
            #expect(metadata.canAddTrackAssociation(withTrackOf: video, type: AVAssetTrack.AssociationType.metadataReferent.rawValue))
            metadata.addTrackAssociation(withTrackOf: video, type: AVAssetTrack.AssociationType.metadataReferent.rawValue)
            let raised = CaptureEnvironment.violations { video.addTrackAssociation(withTrackOf: metadata, type: "tmcd") }
            #expect(raised.map(\.name) == [.invalidArgument])
            #expect(writer.startWriting())
            writer.startSession(atSourceTime: .zero)
            let item = AVMutableMetadataItem()
            item.identifier = .quickTimeMetadataLocationISO6709
            item.dataType = kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709 as String
            item.value = NSString("+48.1000+011.5000/")
            let whole = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 30))
            #expect(adaptor.append(AVTimedMetadataGroup(items: [item], timeRange: whole)))
            var buffer: CVPixelBuffer?
            CVPixelBufferCreate(nil, 64, 36, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, nil, &buffer)
            #expect(pictures.append(try #require(buffer), withPresentationTime: .zero))
            video.markAsFinished()
            metadata.markAsFinished()
            await writer.finishWriting()
            #expect(writer.status == .completed, "\(String(describing: writer.error))")
            let movie = try #require(phone.movies.last)
            #expect(movie.codedSampleCount == 1 && movie.times.count == 1)
        }
    }
}
