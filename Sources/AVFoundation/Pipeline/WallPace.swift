import CoreMedia
import Foundation

/// The wall clock's date of moments of a source, which begins to count when it is first asked.
package struct WallPace {
    private var start: (date: Date, time: CMTime)?

    package init() {}

    /// The date of `time`, where the first call's `beginning` is now.
    package mutating func date(of time: CMTime, since beginning: CMTime) -> Date {
        let start = start ?? (Date(), beginning)
        self.start = start
        return start.date + (time - start.time).seconds
    }
}
