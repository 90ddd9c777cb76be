import Foundation
import Pipeline
import Support

extension FocusPlot {
    /// Drawing as SVG: one line per subject, the line of focus over them, events below and above.
    public func svg() -> String {
        var drawing = FocusDrawing(self)
        return drawing.draw()
    }
}

/// Lays the plot out and writes its elements, back to front.
struct FocusDrawing {
    let plot: FocusPlot
    private(set) var svg = ""
    /// Ends of subjects' lines, to be named when all lines are drawn.
    var names: [(x: Double, y: Double, track: Int)] = []

    static let width = 1280.0
    static let (left, right) = (70.0, 1206.0)
    /// Decisions are named above the field, touches and strips lie below it.
    static let (top, bottom) = (150.0, 510.0)
    static let (touchY, appY, lightTop, lightBottom, stripTop, stripBottom, height) = (534.0, 556.0, 574.0, 614.0, 628.0, 656.0, 714.0)
    static let palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7b5cb8", "#8c6d1f", "#56b4e9", "#6b6b6b"]

    let end: Double
    /// Duration of a frame, ns.
    private let step: Int64
    let greatest: Double

    init(_ plot: FocusPlot) {
        self.plot = plot
        step = plot.samples.count > 1 ? plot.samples[1].time - plot.samples[0].time : 33_333_333
        end = max(Double((plot.samples.last?.time ?? 0) + step), 1)
        let disparities = plot.samples.map(\.focus) + plot.tracks.flatMap { $0.points.map(\.disparity) }
        greatest = max((disparities.max() ?? 1) * 1.12, 0.01)
    }

    mutating func draw() -> String {
        svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.n(Self.width)) \(Self.n(Self.height))" \
            font-family="DejaVu Sans, Helvetica, sans-serif" font-size="12" fill="#333">
            <rect width="100%" height="100%" fill="#fff"/>
            <text x="\(Self.n(Self.left))" y="30" font-size="19" font-weight="bold" fill="#111">\(Self.escaped(plot.title))</text>

            """
        drawLegend()
        drawRacks()
        drawGrid()
        drawTracks()
        drawFocus()
        drawHesitations()
        drawChoices()
        drawTouches()
        drawApp()
        drawChecks()
        drawLight()
        drawStrip()
        drawTimes()
        return svg + "</svg>\n"
    }

    /// Text with a white edge, so that it stays readable over lines.
    mutating func addText(_ attributes: String, _ text: String, fill: String) {
        let text = Self.escaped(text)
        add("<text \(attributes) fill=\"none\" stroke=\"#fff\" stroke-width=\"4\" stroke-linejoin=\"round\">\(text)</text>")
        add("<text \(attributes) fill=\"\(fill)\">\(text)</text>")
    }

    mutating func add(_ element: String) { svg += element + "\n" }

    func x(_ time: Int64) -> Double { Self.left + (Self.right - Self.left) * Double(time) / end }
    func y(_ disparity: Double) -> Double { Self.bottom - (Self.bottom - Self.top) * disparity / greatest }
    func color(_ track: Int) -> String { Self.palette[track % Self.palette.count] }

    /// The spans of time over which `value` stays the same.
    func spans<Value: Equatable>(_ value: (FocusPlot.Sample) -> Value) -> [(start: Int64, end: Int64, value: Value)] {
        var spans: [(start: Int64, end: Int64, value: Value)] = []
        for take in plot.takes {
            let first = spans.count
            for sample in take {
                let value = value(sample)
                if spans.count == first || spans[spans.count - 1].value != value {
                    if spans.count > first { spans[spans.count - 1].end = sample.time }
                    spans.append((sample.time, Int64(end), value))
                }
            }
            if let last = take.last, last.time < plot.samples.last?.time ?? 0 { spans[spans.count - 1].end = last.time + step }
        }
        return spans
    }

    /// A coordinate with one decimal.
    static func n(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(sign)\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    static func escaped(_ text: String) -> String {
        text.printable.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }

    /// A line through points; those that add nothing (within 0.15 of a straight line) are left out.
    static func path(_ points: [(x: Double, y: Double)]) -> String {
        guard let first = points.first else { return "" }
        var (kept, anchor, low, high) = ([first], first, -Double.infinity, Double.infinity)
        for (index, point) in points.enumerated().dropFirst() {
            let run = max(point.x - anchor.x, 1e-9)
            let slope = (point.y - anchor.y) / run
            if slope < low || slope > high {
                anchor = points[index - 1]
                kept.append(anchor)
                (low, high) = (-.infinity, .infinity)
            }
            let length = max(point.x - anchor.x, 1e-9)
            low = max(low, (point.y - anchor.y - 0.15) / length)
            high = min(high, (point.y - anchor.y + 0.15) / length)
        }
        if let last = points.last, points.count > 1 { kept.append(last) }
        return "M" + kept.map { "\(n($0.x)) \(n($0.y))" }.joined(separator: "L")
    }
}

extension FocusPlot {
    /// The samples from one start of the session to its next stop, in order.
    var takes: [ArraySlice<Sample>] {
        let starts = samples.indices.filter { samples[$0].isFirst } + [samples.endIndex]
        return zip(starts, starts.dropFirst()).map { samples[$0..<$1] }
    }
}
