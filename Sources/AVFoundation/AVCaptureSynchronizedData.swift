import CoreMedia
import Foundation

/// What one output has for a moment.
public class AVCaptureSynchronizedData: NSObject, @unchecked Sendable {
    /// On the session's `synchronizationClock`.
    public let timestamp: CMTime

    init(timestamp: CMTime) { self.timestamp = timestamp }
}

/// A picture, or the news that it was dropped.
public final class AVCaptureSynchronizedSampleBufferData: AVCaptureSynchronizedData, @unchecked Sendable {
    /// Without a picture where it was dropped.
    public let sampleBuffer: CMSampleBuffer
    public let droppedReason: AVCaptureOutput.DataDroppedReason
    public var sampleBufferWasDropped: Bool { droppedReason != .none }

    init(sampleBuffer: CMSampleBuffer, droppedReason: AVCaptureOutput.DataDroppedReason) {
        self.sampleBuffer = sampleBuffer
        self.droppedReason = droppedReason
        super.init(timestamp: sampleBuffer.presentationTimeStamp)
    }
}

/// The objects of a frame, perhaps none.
public final class AVCaptureSynchronizedMetadataObjectData: AVCaptureSynchronizedData, @unchecked Sendable {
    public let metadataObjects: [AVMetadataObject]

    init(timestamp: CMTime, metadataObjects: [AVMetadataObject]) {
        self.metadataObjects = metadataObjects
        super.init(timestamp: timestamp)
    }
}

/// A depth map, or the news that it was dropped.
public final class AVCaptureSynchronizedDepthData: AVCaptureSynchronizedData, @unchecked Sendable {
    public let depthData: AVDepthData
    public let droppedReason: AVCaptureOutput.DataDroppedReason
    public var depthDataWasDropped: Bool { droppedReason != .none }

    init(timestamp: CMTime, depthData: AVDepthData, droppedReason: AVCaptureOutput.DataDroppedReason) {
        self.depthData = depthData
        self.droppedReason = droppedReason
        super.init(timestamp: timestamp)
    }
}

/// What all outputs of a synchronizer have for one moment, at most one piece each.
public final class AVCaptureSynchronizedDataCollection: NSObject, Sequence, @unchecked Sendable {
    private let pieces: [(output: AVCaptureOutput, data: AVCaptureSynchronizedData)]

    init(_ pieces: [(output: AVCaptureOutput, data: AVCaptureSynchronizedData)]) { self.pieces = pieces }

    public var count: Int { pieces.count }

    /// Nil when the output has nothing for the moment.
    public func synchronizedData(for captureOutput: AVCaptureOutput) -> AVCaptureSynchronizedData? {
        pieces.first { $0.output === captureOutput }?.data
    }

    public subscript(captureOutput: AVCaptureOutput) -> AVCaptureSynchronizedData? { synchronizedData(for: captureOutput) }

    /// The pieces in the order of the synchronizer's outputs.
    public func makeIterator() -> IndexingIterator<[AVCaptureSynchronizedData]> { pieces.map(\.data).makeIterator() }
}
