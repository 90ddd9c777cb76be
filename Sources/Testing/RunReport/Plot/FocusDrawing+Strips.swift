import Foundation
import Pipeline
import ScenarioFormat

/// Strips below the field: checks, touches, the app, light, the subject in focus, time.
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
    }

    /// Calls and events of the app beside its touches.
    mutating func drawApp() {
        guard !plot.notes.isEmpty else { return }
        add("<text x=\"\(Self.n(Self.left - 8))\" y=\"\(Self.n(Self.appY + 4))\" text-anchor=\"end\">app</text>")
        for (index, note) in plot.notes.enumerated() {
            let (x, text) = (x(note.time), Self.escaped(note.text))
            add("<path d=\"M\(Self.n(x)) \(Self.n(Self.appY - 7))v14\" stroke=\"#555\" stroke-width=\"1.5\"><title>\(text)</title></path>")
            let next = index + 1 < plot.notes.count ? self.x(plot.notes[index + 1].time) : Self.right
            guard x + 4 + 6 * Double(note.text.count) <= next else { continue }
            add("<text x=\"\(Self.n(x + 4))\" y=\"\(Self.n(Self.appY + 4))\" font-size=\"11\">\(text)</text>")
        }
    }

    static let held = "#2a9d4a"
    /// Letters of a failed expectation that are shown; the rest is left to the title.
    private static let shown = 64

    /// Expectations as ticks below the field; those that failed are crosses, and say in the field what was expected.
    mutating func drawChecks() {
        for check in plot.checks where check.failure == nil {
            let title = "<title>line \(check.location.line): as expected</title>"
            add("<path d=\"M\(Self.n(x(check.time))) \(Self.n(Self.bottom + 1))l-4 8h8z\" fill=\"\(Self.held)\">\(title)</path>")
        }
        var rows = [Double](repeating: -1, count: 6)
        for check in plot.checks {
            guard let failure = check.failure else { continue }
            let (x, y) = (x(check.time), Self.bottom + 5)
            let expected = "line \(check.location.line): " + (failure.split(separator: ", but ").first.map(String.init) ?? failure)
            let text = expected.count > Self.shown ? String(expected.prefix(Self.shown - 1)) + "…" : expected
            let width = 6.4 * Double(text.count) + 10
            let start = max(min(x + 5, Self.right - width), Self.left + 4)
            let row = rows.firstIndex { $0 < start } ?? rows.indices.min { rows[$0] < rows[$1] } ?? 0
            rows[row] = start + width
            let rowY = Self.bottom - 8 - Double(row) * 16
            let title = "<title>line \(check.location.line): \(Self.escaped(failure))</title>"
            add("<path d=\"M\(Self.n(x)) \(Self.n(y))V\(Self.n(rowY - 10))\" stroke=\"#c00\" stroke-dasharray=\"3 2\"/>")
            add("<path d=\"M\(Self.n(x - 5)) \(Self.n(y - 5))l10 10m0 -10l-10 10\" stroke=\"#c00\" stroke-width=\"3\">\(title)</path>")
            addText("x=\"\(Self.n(start))\" y=\"\(Self.n(rowY))\" font-size=\"11\"", text, fill: "#c00")
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
        let takes = plot.takes.map { take in
            Self.path(take.compactMap { sample in sample.lux.map { (x(sample.time), bottom - 2 - (bottom - top - 4) * Self.decades($0) / 4) } })
        }
        add("<path d=\"\(takes.joined())\" fill=\"none\" stroke=\"#e5a000\" stroke-width=\"2\"/>")
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

    /// Subject in focus and its mode: weak is dashed yellow, strong is yellow, fixed is striped grey.
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
