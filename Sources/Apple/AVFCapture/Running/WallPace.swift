import CoreMedia
import Foundation

/// Map from a source's times to dates of the wall clock, beginning at the first call.
package struct WallPace {
    private var start: (date: Date, time: CMTime)?

    package init() {}

    /// Returns the date of `time`, where the first call's `beginning` is now.
    package mutating func date(of time: CMTime, since beginning: CMTime) -> Date {
        let start = start ?? (Date(), beginning)
        self.start = start
        return start.date + (time - start.time).seconds
    }
}
