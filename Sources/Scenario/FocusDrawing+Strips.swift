import Foundation
import Pipeline

/// What lies below the field: touches and checks, light, the subject strip, time.
extension FocusDrawing {
    mutating func drawTouches() {
        add("<text x=\"\(Self.n(Self.left - 8))\" y=\"\(Self.n(Self.touchY + 4))\" text-anchor=\"end\">touch</text>")
        for (index, touch) in plot.touches.enumerated() {
            let (start, end) = (x(touch.start), max(x(touch.end), x(touch.start) + 2))
            let color = touch.hasFailed ? "#c00" : "#111"
            add(
                "<rect x=\"\(Self.n(start))\" y=\"\(Self.n(Self.touchY - 8))\" width=\"\(Self.n(end - start))\" height=\"16\" rx=\"1\" "
                    + "fill=\"\(color)\"><title>\(Self.escaped(touch.summary))</title></rect>")
            let text = String(touch.summary.prefix { $0 != "[" }).trimmingCharacters(in: .whitespaces) + (touch.hasFailed ? " failed" : "")
            // Six units a letter; a text that would run into the next touch is left to the title.
            let next = index + 1 < plot.touches.count ? x(plot.touches[index + 1].start) : .infinity
            guard end + 4 + 6 * Double(text.count) <= next else { continue }
            add("<text x=\"\(Self.n(end + 4))\" y=\"\(Self.n(Self.touchY + 4))\" font-size=\"11\" fill=\"\(color)\">\(Self.escaped(text))</text>")
        }
        for note in plot.notes {
            let x = Self.n(x(note.time))
            add("<path d=\"M\(x) \(Self.n(Self.bottom))v8\" stroke=\"#777\"><title>\(Self.escaped(note.text))</title></path>")
        }
        for check in plot.checks {
            let color = check.failure == nil ? "#2a9d4a" : "#c00"
            add(
                "<path d=\"M\(Self.n(x(check.time))) \(Self.n(Self.bottom + 1))l-4 8h8z\" fill=\"\(color)\">"
                    + "<title>line \(check.location.line): \(Self.escaped(check.failure ?? "as expected"))</title></path>")
        }
    }

    /// Light on a logarithmic scale of four decades, 1 to 10 000 lux, dark where there is not enough.
    mutating func drawLight() {
        let (top, bottom) = (Self.lightTop, Self.lightBottom)
        add("<text x=\"\(Self.n(Self.left - 8))\" y=\"\(Self.n((top + bottom) / 2 + 4))\" text-anchor=\"end\">light</text>")
        add(
            "<rect x=\"\(Self.n(Self.left))\" y=\"\(Self.n(top))\" width=\"\(Self.n(Self.right - Self.left))\" "
                + "height=\"\(Self.n(bottom - top))\" fill=\"#faf6e6\" stroke=\"#ccc\"/>")
        for span in spans(\.isDark) where span.value {
            let start = x(span.start)
            add(
                "<rect x=\"\(Self.n(start))\" y=\"\(Self.n(top))\" width=\"\(Self.n(x(span.end) - start))\" "
                    + "height=\"\(Self.n(bottom - top))\" fill=\"#39405c\"/>")
            let text = x(span.end) - start > 104 ? "notEnoughLight" : "dark"
            add("<text x=\"\(Self.n(start + 5))\" y=\"\(Self.n(top + 14))\" font-size=\"11\" fill=\"#fff\">\(text)</text>")
        }
        var points: [(x: Double, y: Double)] = []
        for sample in plot.samples {
            guard let lux = sample.lux else { continue }
            points.append((x(sample.time), bottom - 2 - (bottom - top - 4) * Self.decades(lux) / 4))
        }
        add("<path d=\"\(Self.path(points))\" fill=\"none\" stroke=\"#e5a000\" stroke-width=\"2\"/>")
        if let lux = plot.samples.first?.lux, let last = plot.samples.last?.lux {
            add("<text x=\"\(Self.n(Self.left + 5))\" y=\"\(Self.n(bottom - 5))\" font-size=\"11\">\(Self.short(lux.rounded())) lx</text>")
            add("<text x=\"\(Self.n(Self.right + 8))\" y=\"\(Self.n(bottom - 5))\" font-size=\"11\">\(Self.short(last.rounded())) lx</text>")
        }
    }

    /// log10, 0…4, by halving: the same on every machine.
    private static func decades(_ value: Double) -> Double {
        var (rest, result) = (min(max(value, 1), 10_000), 0.0)
        while rest >= 10 {
            rest /= 10
            result += 1
        }
        var step = 0.5
        for _ in 0..<12 {
            rest *= rest
            if rest >= 10 {
                rest /= 10
                result += step
            }
            step /= 2
        }
        return result
    }

    private struct Subject: Equatable {
        var track: Int?
        var mode: FocusMode
        var isFixed: Bool
    }

    /// Who is in focus, and how firmly: weak is dashed yellow, strong is yellow, fixed is striped grey.
    mutating func drawStrip() {
        let (top, height) = (Self.stripTop, Self.stripBottom - Self.stripTop)
        add("<text x=\"\(Self.n(Self.left - 8))\" y=\"\(Self.n(top + 18))\" text-anchor=\"end\">subject</text>")
        for span in spans({ Subject(track: $0.subject, mode: $0.mode, isFixed: $0.isFixed) }) {
            let (start, width, subject) = (x(span.start), x(span.end) - x(span.start), span.value)
            let isEmpty = subject.track == nil && !subject.isFixed
            let fill = isEmpty ? "#f2f2f2" : subject.mode == .strong ? "#ffd43b" : "#fff6cf"
            let dash = subject.mode == .strong || isEmpty ? "" : " stroke-dasharray=\"5 3\""
            let frame = "y=\"\(Self.n(top))\" height=\"\(Self.n(height))\""
            add(
                "<rect x=\"\(Self.n(start + 1))\" \(frame) width=\"\(Self.n(max(width - 2, 0.5)))\" fill=\"\(fill)\" "
                    + "stroke=\"\(isEmpty ? "#ccc" : "#b98900")\" stroke-width=\"1.5\"\(dash)/>")
            if let track = subject.track {
                add("<rect x=\"\(Self.n(start + 1))\" \(frame) width=\"5\" fill=\"\(color(track))\"/>")
            }
            let name = subject.isFixed ? "fixed plane" : subject.track.map { plot.tracks[$0].name } ?? "nothing"
            let text = isEmpty ? name : "\(name) · \(subject.mode.name)"
            let shown = width > Double(text.count) * 6.6 + 12 ? text : width > Double(name.count) * 6.6 + 12 ? name : ""
            if !shown.isEmpty {
                add("<text x=\"\(Self.n(start + 10))\" y=\"\(Self.n(top + 18))\" fill=\"#111\">\(Self.escaped(shown))</text>")
            }
        }
    }

    mutating func drawTimes() {
        let seconds = end / 1e9
        let step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600].first { seconds / $0 <= 20 } ?? 7200
        for index in 0...Int(seconds / step) {
            let time = Double(index) * step
            let x = Self.n(x(Int64(time * 1e9)))
            add("<path d=\"M\(x) \(Self.n(Self.stripBottom))v6\" stroke=\"#999\"/>")
            add("<text x=\"\(x)\" y=\"\(Self.n(Self.stripBottom + 20))\" text-anchor=\"middle\">\(Self.short(time)) s</text>")
        }
    }
}
