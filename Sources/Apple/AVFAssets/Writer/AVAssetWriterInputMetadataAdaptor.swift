import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import Support

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
        func refuse(_ reason: String) -> Bool {
            assetWriterInput.refuse(.invalidArgument, selector, reason, of: "AVAssetWriterInputMetadataAdaptor")
        }
        guard timedMetadataGroup.timeRange.start.isNumeric else { return refuse("Cannot append a group without a time") }
        let keys = assetWriterInput.sourceFormatHint?.metadataKeys ?? []
        var values: [(key: UInt32, value: Data)] = []
        for item in timedMetadataGroup.items {
            let name = item.identifier?.rawValue.printable ?? "no name"
            guard let key = keys.first(where: { $0.holds(item) }) else {
                return refuse("The sourceFormatHint of the input does not name the item \(name) of the type \(item.dataType?.printable ?? "none")")
            }
            guard let value = MetadataValue.data(of: item, as: key.dataType) else {
                return refuse("The value of the item \(name) is not of the type \(key.dataType?.printable ?? "none")")
            }
            values.append((key.number, value))
        }
        let sample = MovieSample(
            time: timedMetadataGroup.timeRange.start, duration: timedMetadataGroup.timeRange.duration,
            content: .data(MetadataKeyTable.sample(of: values), isSync: true))
        return assetWriterInput.append(sample, in: nil, to: writer)
    }
}
