import CoreVideo
import Foundation

/// Key of a time's numerator in a dictionary.
public nonisolated(unsafe) let kCMTimeValueKey: CFString = "value"
/// Key of a time's units per second in a dictionary.
public nonisolated(unsafe) let kCMTimeScaleKey: CFString = "timescale"
/// Key of a time's epoch in a dictionary.
public nonisolated(unsafe) let kCMTimeEpochKey: CFString = "epoch"
/// Key of a time's flags in a dictionary.
public nonisolated(unsafe) let kCMTimeFlagsKey: CFString = "flags"
/// Key of a range's start in a dictionary.
public nonisolated(unsafe) let kCMTimeRangeStartKey: CFString = "start"
/// Key of a range's length in a dictionary.
public nonisolated(unsafe) let kCMTimeRangeDurationKey: CFString = "duration"

/// Returns a time as a dictionary, to be stored. The allocator is ignored.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
    let entries: [String: Any] = [
        "value": Int(time.value), "timescale": Int(time.timescale), "epoch": Int(time.epoch), "flags": Int(time.flags.rawValue),
    ]
    return entries as CFDictionary
}

/// Returns the time of a dictionary; invalid where an entry is missing.
public func CMTimeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary?) -> CMTime {
    let entries = dictionaryRepresentation?.named ?? [:]
    guard let value = entries["value"] as? Int, let scale = (entries["timescale"] as? Int).flatMap({ CMTimeScale(exactly: $0) }),
        let epoch = entries["epoch"] as? Int, let flags = (entries["flags"] as? Int).flatMap({ UInt32(exactly: $0) })
    else { return .invalid }
    return CMTime(value: CMTimeValue(value), timescale: scale, flags: CMTimeFlags(rawValue: flags), epoch: CMTimeEpoch(epoch))
}

/// Returns a range as a dictionary, to be stored. The allocator is ignored.
public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: CFAllocator?) -> CFDictionary? {
    let parts = [("start", range.start), ("duration", range.duration)].compactMap { key, time in
        CMTimeCopyAsDictionary(time, allocator: allocator).map { (key, $0 as Any) }
    }
    return Dictionary(uniqueKeysWithValues: parts) as CFDictionary
}

/// Returns the range of a dictionary; invalid where an entry is missing.
public func CMTimeRangeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeRange {
    func time(_ key: String) -> CMTime { CMTimeMakeFromDictionary(dictionaryRepresentation.named[key] as? CFDictionary) }
    return CMTimeRange(start: time("start"), duration: time("duration"))
}
