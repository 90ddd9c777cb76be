import CoreMedia
import Foundation
import Pipeline

/// Metadata items that belong together.
open class AVMetadataGroup: NSObject, @unchecked Sendable {
    /// Items of the group; empty but in its subclasses.
    open var items: [AVMetadataItem] { [] }
}

/// Metadata items that hold for a time range of a movie.
open class AVTimedMetadataGroup: AVMetadataGroup, @unchecked Sendable {
    private let content: (items: [AVMetadataItem], range: CMTimeRange)

    /// Makes a group of items for a time range.
    public init(items: [AVMetadataItem], timeRange: CMTimeRange) { content = (items, timeRange) }

    /// Makes a group of a sample of a metadata track, as `AVAssetReaderTrackOutput` reads it; nil for any other buffer.
    public convenience init?(sampleBuffer: CMSampleBuffer) {
        guard sampleBuffer.formatDescription?.mediaType == .metadata, let data = try? sampleBuffer.dataBuffer?.dataBytes() else { return nil }
        let item = AVMutableMetadataItem()
        item.identifier = .cinematicSample
        item.dataType = kCMMetadataBaseDataType_RawData
        item.value = NSData(data: data)
        (item.time, item.duration) = (sampleBuffer.presentationTimeStamp, sampleBuffer.duration)
        self.init(items: [item], timeRange: CMTimeRange(start: sampleBuffer.presentationTimeStamp, duration: sampleBuffer.duration))
    }

    /// Items of the group.
    open override var items: [AVMetadataItem] { content.items }
    /// Time for which the items hold.
    open var timeRange: CMTimeRange { content.range }
}

extension AVMetadataIdentifier {
    /// Sample of a cinematic movie's metadata (`CinematicSample`), as bytes. A phone's movie has items of other names, whose content is private.
    package static let cinematicSample = AVMetadataIdentifier("mdta/rackfocus.cinematic-sample")
}
