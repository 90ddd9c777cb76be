/// SMPTE 12M timecode: hours, minutes, seconds and frames at a whole number of frames per second.
///
/// With drop-frame counting, for 29.97 and 59.94 frames/s, the first 2 or 4 numbers of every minute but each tenth are left out.
public struct Timecode: Sendable, Equatable, CustomStringConvertible {
    private var fields: [Int]
    /// Whether numbers are dropped; written with `;` before the frames.
    public var dropsFrames: Bool

    /// Reads `hh:mm:ss:ff` or `hh:mm:ss;ff`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(omittingEmptySubsequences: false) { ":;.".contains($0) }
        fields = parts.compactMap { (1...2).contains($0.count) && $0.allSatisfy(\.isWholeNumber) ? Int($0) : nil }
        guard parts.count == 4, fields.count == 4, fields[1] < 60, fields[2] < 60 else { return nil }
        dropsFrames = text.dropFirst(8).contains { $0 == ";" || $0 == "." }
    }

    /// The timecode of a frame, counted from 00:00:00:00; a day begins anew.
    ///
    /// - Parameter rate: frames per second, rounded: 30 for 29.97.
    public init(frame: Int, rate: Int, dropsFrames: Bool) {
        let dropped = Self.dropped(rate)
        let perTen = 600 * rate - 9 * dropped
        var number = frame
        if dropsFrames {
            let rest = frame % perTen
            number += 9 * dropped * (frame / perTen) + (rest < dropped ? 0 : dropped * ((rest - dropped) / (60 * rate - dropped)))
        }
        number %= 24 * 3600 * rate
        fields = [number / rate / 3600, number / rate / 60 % 60, number / rate % 60, number % rate]
        self.dropsFrames = dropsFrames
    }

    /// Number of the frame, counted from 00:00:00:00; nil where there is no such frame in a second.
    public func frame(rate: Int) -> Int? {
        guard rate > 0, fields[3] < rate else { return nil }
        let number = ((fields[0] * 60 + fields[1]) * 60 + fields[2]) * rate + fields[3]
        let minutes = fields[0] * 60 + fields[1]
        return dropsFrames ? number - Self.dropped(rate) * (minutes - minutes / 10) : number
    }

    /// Number of the frame behind a movie's first one, whose way of counting it takes over; from 00:00:00:00 without. Negative ahead of it; nil where there is
    /// no such frame in a second.
    public func frame(rate: Int, after first: Timecode?) -> Int? {
        guard let first else { return frame(rate: rate) }
        var own = self
        own.dropsFrames = first.dropsFrames
        return own.frame(rate: rate).map { $0 - (first.frame(rate: rate) ?? 0) }
    }

    private static func dropped(_ rate: Int) -> Int { rate / 15 }

    /// `hh:mm:ss:ff`.
    public var description: String {
        let text = fields.map { $0 < 10 ? "0\($0)" : "\($0)" }
        return text[..<3].joined(separator: ":") + (dropsFrames ? ";" : ":") + text[3]
    }
}
