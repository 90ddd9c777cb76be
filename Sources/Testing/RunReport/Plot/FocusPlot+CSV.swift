import Foundation
import Pipeline
import ScenarioFormat

extension FocusPlot {
    /// The numbers of the drawing, one row a sample, which is a frame but in a long take: what is in focus, where, how, and how far each subject is. Disparities in 1/m with six
    /// decimals, empty where there is none; times in seconds with nine.
    package func csv() -> String {
        var cursors = Array(repeating: 0, count: tracks.count)
        let names = tracks.map { $0.name.contains(",") || $0.name.contains("\"") ? "\"\($0.name.replacing("\"", with: "\"\""))\"" : $0.name }
        let columns = ["time", "focus", "subject", "mode", "fixed", "racking", "aperture", "lux", "notEnoughLight"]
        var text = (columns + names.map { "disparity of \($0)" }).joined(separator: ",") + "\n"
        for (index, sample) in samples.enumerated() {
            var row = [
                Self.decimal(sample.time, places: 9), Self.decimal(sample.focus), sample.subject.map { names[$0] } ?? "", sample.mode.name,
                sample.isFixed ? "1" : "0", sample.isRacking ? "1" : "0", Self.decimal(sample.fNumber, places: 2),
                Self.decimal(sample.lux, places: 2), sample.isDark ? "1" : "0",
            ]
            for track in tracks.indices {
                let points = tracks[track].points
                while cursors[track] < points.count, points[cursors[track]].sample < index { cursors[track] += 1 }
                let point = cursors[track] < points.count && points[cursors[track]].sample == index ? points[cursors[track]] : nil
                row.append(Self.decimal(point?.disparity))
            }
            text += row.joined(separator: ",") + "\n"
        }
        return text
    }

    private static func decimal(_ value: Double?, places: Int = 6) -> String {
        guard let value, value.isFinite, abs(value) < 1e9 else { return "" }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        return decimal(Int64((value * scale).rounded()), places: places)
    }

    private static func decimal(_ value: Int64, places: Int) -> String {
        let digits = String(value.magnitude)
        let padded = String(repeating: "0", count: max(places + 1 - digits.count, 0)) + digits
        return (value < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
    }
}
