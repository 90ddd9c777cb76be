import CoreMedia
import Foundation
import Pipeline
import Support
import Synchronization

/// Metadata items that belong together.
open class AVMetadataGroup: NSObject, @unchecked Sendable {
    /// Items of the group; empty but in its subclasses.
    open var items: [AVMetadataItem] { [] }
}

/// Metadata items that hold for a time range of a movie.
open class AVTimedMetadataGroup: AVMetadataGroup, @unchecked Sendable {
    fileprivate let content: Mutex<(items: [AVMetadataItem], range: CMTimeRange)>

    /// Makes a group of items for a time range.
    public init(items: [AVMetadataItem], timeRange: CMTimeRange) { content = Mutex((items, timeRange)) }

    /// Makes a group of a sample of a metadata track, as `AVAssetReaderTrackOutput` reads it; nil for any other buffer. Where a movie has no metadata for a
    /// while, the group has no items.
    public convenience init?(sampleBuffer: CMSampleBuffer) {
        guard let format = sampleBuffer.formatDescription, format.mediaType == .metadata, let data = try? sampleBuffer.dataBuffer?.dataBytes() else {
            return nil
        }
        let range = CMTimeRange(start: sampleBuffer.presentationTimeStamp, duration: sampleBuffer.duration)
        func item(_ identifier: AVMetadataIdentifier, _ type: String?, _ language: String?, _ data: Data) -> AVMetadataItem {
            let item = AVMutableMetadataItem()
            (item.identifier, item.dataType, item.extendedLanguageTag) = (identifier, type, language)
            item.value = MetadataValue.value(of: data, as: type)
            (item.time, item.duration) = (range.start, range.duration)
            return item
        }
        guard format.mediaSubType.rawValue == kCMMetadataFormatType_Boxed else {
            self.init(items: [item(.cinematicSample, kCMMetadataBaseDataType_RawData as String, nil, data)], timeRange: range)
            return
        }
        let items = MetadataKeyTable.values(in: data).compactMap { number, value in
            format.metadataKeys.first { $0.number == number }.map { item(AVMetadataIdentifier($0.identifier), $0.dataType, $0.language, value) }
        }
        self.init(items: items, timeRange: range)
    }

    /// Items of the group.
    open override var items: [AVMetadataItem] { content.withLock { $0.items } }
    /// Time for which the items hold.
    open var timeRange: CMTimeRange { content.withLock { $0.range } }

    /// Returns the format of samples that hold such items, for an input of an `AVAssetWriter`; nil where an item has no name or no type.
    open func copyFormatDescription() -> CMMetadataFormatDescription? {
        var keys: [MetadataKey] = []
        for item in items {
            guard let identifier = item.identifier, let type = item.dataType else { return nil }
            guard !keys.contains(where: { $0.holds(item) }) else { continue }
            keys.append(
                MetadataKey(
                    number: UInt32(keys.count + 1), identifier: identifier.rawValue, dataType: type, language: item.extendedLanguageTag))
        }
        return keys.isEmpty ? nil : CMFormatDescription(metadataKeys: keys)
    }
}

/// Metadata items for a time range, to be filled in.
open class AVMutableTimedMetadataGroup: AVTimedMetadataGroup, @unchecked Sendable {
    /// Items of the group.
    open override var items: [AVMetadataItem] {
        get { super.items }
        set { content.withLock { $0.items = newValue } }
    }

    /// Time for which the items hold.
    open override var timeRange: CMTimeRange {
        get { super.timeRange }
        set { content.withLock { $0.range = newValue } }
    }
}

/// Failure to make a sample of a group, in words.
package struct UnfitMetadata: Error {
    package let reason: String
}

extension AVTimedMetadataGroup {
    /// Returns the sample of the group in a track with these keys; fails for an item that no key names or whose value is not of its type, and without a time.
    package func sample(of keys: [MetadataKey]) throws(UnfitMetadata) -> MovieSample {
        let range = timeRange
        guard range.start.isNumeric else { throw UnfitMetadata(reason: "Cannot append a group without a time") }
        var values: [(key: UInt32, value: Data)] = []
        for item in items {
            let name = item.identifier?.rawValue.printable ?? "no name"
            guard let key = keys.first(where: { $0.holds(item) }) else {
                throw UnfitMetadata(reason: "The format does not name the item \(name) of the type \(item.dataType?.printable ?? "none")")
            }
            guard let value = MetadataValue.data(of: item, as: key.dataType) else {
                throw UnfitMetadata(reason: "The value of the item \(name) is not of the type \(key.dataType?.printable ?? "none")")
            }
            values.append((key.number, value))
        }
        return MovieSample(time: range.start, duration: range.duration, content: .data(MetadataKeyTable.sample(of: values), isSync: true))
    }
}

extension MetadataKey {
    /// Whether values of an item come under this key: by its name and language and, where the item has one, its type.
    func holds(_ item: AVMetadataItem) -> Bool {
        identifier == item.identifier?.rawValue && (item.dataType == nil || item.dataType == dataType) && language == item.extendedLanguageTag
    }
}

extension AVMetadataIdentifier {
    /// Sample of a cinematic movie's metadata (`CinematicSample`), as bytes. A phone's movie has items of other names, whose content is private.
    package static let cinematicSample = AVMetadataIdentifier("mdta/rackfocus.cinematic-sample")
}
