import CoreMedia
import Foundation

extension CMTime {
    /// Frames per second of a frame duration, at most three decimals.
    package var rateText: String {
        let rate = Double(timescale) / Double(value)
        return rate == rate.rounded() ? String(Int(rate)) : String(format: "%.3f", rate)
    }

    /// Duration of a frame at a rate as people write it, `30` or `30000/1001`, from 1 to 240; nil for anything else.
    package init?(frameRate text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int32($0) }
        if parts.count == 1, let rate = parts[0], (1...240).contains(rate) {
            self.init(value: 1, timescale: rate)
        } else if parts.count == 2, let frames = parts[0], let seconds = parts[1], seconds > 0, frames >= seconds, frames / seconds <= 240 {
            self.init(value: Int64(seconds), timescale: frames)
        } else {
            return nil
        }
    }

    /// The ratio that a usual decimal stands for, `30000/1001` for `29.97`; nil for anything else.
    package static func frameRate(meantBy text: String) -> String? {
        ["23.976": "24000/1001", "23.98": "24000/1001", "29.97": "30000/1001", "59.94": "60000/1001"][text]
    }
}
