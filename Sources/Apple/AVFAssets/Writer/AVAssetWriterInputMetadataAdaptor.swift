import AVFCapture
import CoreMedia
import Foundation

/// Groups of timed metadata on their way into an `AVAssetWriterInput`, whose `sourceFormatHint` names the items that there may be.
///
///     let format = group.copyFormatDescription()
///     let input = AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: format)
///     let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
///     writer.add(input)
///     …
///     adaptor.append(group)
open class AVAssetWriterInputMetadataAdaptor: NSObject, @unchecked Sendable {
    /// Input that takes the groups.
    public let assetWriterInput: AVAssetWriterInput

    /// Makes an adaptor; raises for an input of other media.
    public init(assetWriterInput input: AVAssetWriterInput) {
        assetWriterInput = input
        super.init()
        guard input.mediaType != .metadata else { return }
        _ = input.refuse(.invalidArgument, "initWithAssetWriterInput:", "The input is not of timed metadata", of: "AVAssetWriterInputMetadataAdaptor")
    }

    /// Hands a group to the writer; it holds for its time range, or until the next where that has no length. One without items ends what held. False where
    /// writing has ended; raises where a group cannot be appended, and for an item that the hint does not name or whose value is not of its type.
    @discardableResult
    open func append(_ timedMetadataGroup: AVTimedMetadataGroup) -> Bool {
        let selector = "appendTimedMetadataGroup:"
        guard let writer = assetWriterInput.ready(selector) else { return false }
        do throws(UnfitMetadata) {
            let sample = try timedMetadataGroup.sample(of: assetWriterInput.sourceFormatHint?.metadataKeys ?? [])
            return assetWriterInput.append(sample, in: nil, to: writer)
        } catch {
            return assetWriterInput.refuse(.invalidArgument, selector, error.reason, of: "AVAssetWriterInputMetadataAdaptor")
        }
    }
}
