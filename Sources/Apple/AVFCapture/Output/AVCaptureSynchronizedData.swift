import CoreMedia
import Foundation

/// Data that one output has for a moment.
open class AVCaptureSynchronizedData: NSObject, @unchecked Sendable {
    /// Time of the data on the session's `synchronizationClock`.
    public let timestamp: CMTime

    init(timestamp: CMTime) { self.timestamp = timestamp }
}

/// Picture, or notice that it was dropped; or sound, which never is.
open class AVCaptureSynchronizedSampleBufferData: AVCaptureSynchronizedData, @unchecked Sendable {
    /// Buffer of the picture or sound; without a picture where that was dropped.
    public let sampleBuffer: CMSampleBuffer
    /// Reason of the drop; `.none` where there was none.
    public let droppedReason: AVCaptureOutput.DataDroppedReason
    /// Whether the picture was dropped.
    open var sampleBufferWasDropped: Bool { droppedReason != .none }

    init(sampleBuffer: CMSampleBuffer, droppedReason: AVCaptureOutput.DataDroppedReason) {
        self.sampleBuffer = sampleBuffer
        self.droppedReason = droppedReason
        super.init(timestamp: sampleBuffer.presentationTimeStamp)
    }
}

/// Objects of a frame, perhaps none.
open class AVCaptureSynchronizedMetadataObjectData: AVCaptureSynchronizedData, @unchecked Sendable {
    /// Objects of the wanted types; may be empty.
    public let metadataObjects: [AVMetadataObject]

    init(timestamp: CMTime, metadataObjects: [AVMetadataObject]) {
        self.metadataObjects = metadataObjects
        super.init(timestamp: timestamp)
    }
}

/// Depth map, or notice that it was dropped.
open class AVCaptureSynchronizedDepthData: AVCaptureSynchronizedData, @unchecked Sendable {
    /// Map of the frame, also of a dropped one.
    public let depthData: AVDepthData
    /// Reason of the drop; `.none` where there was none.
    public let droppedReason: AVCaptureOutput.DataDroppedReason
    /// Whether the map was dropped.
    open var depthDataWasDropped: Bool { droppedReason != .none }

    init(timestamp: CMTime, depthData: AVDepthData, droppedReason: AVCaptureOutput.DataDroppedReason) {
        self.depthData = depthData
        self.droppedReason = droppedReason
        super.init(timestamp: timestamp)
    }
}

/// Data that all outputs of a synchronizer have for one moment, at most one piece each.
open class AVCaptureSynchronizedDataCollection: NSObject, Sequence, @unchecked Sendable {
    private let pieces: [(output: AVCaptureOutput, data: AVCaptureSynchronizedData)]

    init(_ pieces: [(output: AVCaptureOutput, data: AVCaptureSynchronizedData)]) { self.pieces = pieces }

    /// Number of outputs that have data for the moment.
    open var count: Int { pieces.count }

    /// Returns the data of an output; nil when it has none for the moment.
    open func synchronizedData(for captureOutput: AVCaptureOutput) -> AVCaptureSynchronizedData? {
        pieces.first { $0.output === captureOutput }?.data
    }

    /// Data of an output; nil when it has none for the moment.
    public subscript(captureOutput: AVCaptureOutput) -> AVCaptureSynchronizedData? { synchronizedData(for: captureOutput) }

    /// Returns an iterator over the data, in the order of the synchronizer's outputs.
    open func makeIterator() -> IndexingIterator<[AVCaptureSynchronizedData]> { pieces.map(\.data).makeIterator() }
}
