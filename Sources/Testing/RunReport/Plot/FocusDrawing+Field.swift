import Foundation
import Pipeline

/// The field in the middle: grid, subjects, racks, focus and decisions.
extension FocusDrawing {
    mutating func drawLegend() {
        let y = 56.0
        var x = Self.left
        func item(_ mark: String, _ text: String, _ x: inout Double) -> String {
            let element = "<g transform=\"translate(\(Self.n(x)) \(Self.n(y)))\">\(mark)<text x=\"30\" y=\"4\">\(text)</text></g>"
            x += 46 + Double(text.count) * 6.9
            return element
        }
        add(item("<path d=\"M0 0H24\" stroke=\"#111\" stroke-width=\"3\"/>", "focus", &x))
        for (index, track) in plot.tracks.enumerated() where !track.points.isEmpty {
            let line = "<path d=\"M0 0H24\" stroke=\"\(color(index))\" stroke-width=\"2\" stroke-dasharray=\"7 3\"/>"
            add(item(line, Self.escaped(track.name), &x))
        }
        add(item("<rect y=\"-7\" width=\"24\" height=\"14\" fill=\"#e9e6dc\"/>", "rack", &x))
        add(item("<circle cx=\"12\" r=\"5\" fill=\"#fff\" stroke=\"#111\" stroke-width=\"1.5\"/>", "automatic", &x))
        if !plot.hesitations.isEmpty { add(item("<circle cx=\"12\" r=\"3.5\" fill=\"#fff\" stroke=\"#777\"/>", "withheld", &x)) }
        add(item("<path d=\"M12 -7L19 0L12 7L5 0Z\" fill=\"#e5a000\" stroke=\"#111\"/>", "by the user", &x))
        if plot.checks.contains(where: { $0.failure == nil }) { add(item("<path d=\"M12 -4l-4 8h8z\" fill=\"\(Self.held)\"/>", "as expected", &x)) }
        if plot.checks.contains(where: { $0.failure != nil }) {
            add(item("<path d=\"M7 -5L17 5M17 -5L7 5\" stroke=\"#c00\" stroke-width=\"3\"/>", "not as expected", &x))
        }
    }

    mutating func drawRacks() {
        for span in spans(\.isRacking) where span.value {
            add(
                "<rect x=\"\(Self.n(x(span.start)))\" y=\"\(Self.n(Self.top))\" width=\"\(Self.n(max(x(span.end) - x(span.start), 1)))\" "
                    + "height=\"\(Self.n(Self.bottom - Self.top))\" fill=\"#e9e6dc\"/>")
        }
    }

    /// Disparity on the left, the metres it stands for on the right.
    mutating func drawGrid() {
        let (left, right, middle) = (Self.n(Self.left), Self.n(Self.right), Self.n((Self.top + Self.bottom) / 2))
        let metres = [100.0, 20, 10, 5, 3, 2, 1.5, 1.2, 1, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1]
        var lastY = Self.bottom + 40
        for metre in metres where plot.isMetric && lastY - y(1 / metre) >= 17 && y(1 / metre) >= Self.top {
            lastY = y(1 / metre)
            add("<path d=\"M\(left) \(Self.n(lastY))H\(right)\" stroke=\"#dcdcdc\"/>")
            add("<text x=\"\(Self.n(Self.right + 8))\" y=\"\(Self.n(lastY + 4))\">\(Self.short(metre)) m</text>")
        }
        let step = Self.step(greatest / 8)
        for index in 0...Int(greatest / step) {
            let value = Double(index) * step
            add("<text x=\"\(Self.n(Self.left - 8))\" y=\"\(Self.n(y(value) + 4))\" text-anchor=\"end\">\(Self.short(value))</text>")
        }
        let (top, bottom) = (Self.n(Self.top), Self.n(Self.bottom))
        add("<path d=\"M\(left) \(top)V\(bottom)H\(right)V\(top)\" fill=\"none\" stroke=\"#999\"/>")
        let unit = plot.isMetric ? "disparity, 1/m (near is up)" : "disparity, relative (near is up)"
        add("<text transform=\"translate(20 \(middle)) rotate(-90)\" text-anchor=\"middle\">\(unit)</text>")
        if plot.isMetric { add("<text transform=\"translate(1268 \(middle)) rotate(90)\" text-anchor=\"middle\">distance</text>") }
    }

    /// The round number (1, 2 or 5 times a power of ten, at least 0.01) that is not below `least`, a finite number.
    static func step(_ least: Double) -> Double {
        var power = 0.01
        while power * 10 < least { power *= 10 }
        return [power, 2 * power, 5 * power].first { $0 >= least } ?? 10 * power
    }

    /// At most two decimals, none that are zero.
    static func short(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        if hundredths % 100 == 0 { return "\(hundredths / 100)" }
        return hundredths % 10 == 0
            ? "\(hundredths / 100).\(hundredths % 100 / 10)" : "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
    }

    mutating func drawTracks() {
        for (index, track) in plot.tracks.enumerated() {
            var (segment, last): ([(x: Double, y: Double)], Int) = ([], -2)
            for point in track.points {
                if point.sample != last + 1 || plot.samples[point.sample].isFirst {
                    addTrack(segment, index)
                    segment = []
                }
                segment.append((x(plot.samples[point.sample].time), y(point.disparity)))
                last = point.sample
            }
            addTrack(segment, index)
        }
    }

    private mutating func addTrack(_ points: [(x: Double, y: Double)], _ index: Int) {
        guard let last = points.last else { return }
        let dash = "stroke-dasharray=\"7 3\""
        add("<path d=\"\(Self.path(points))\" fill=\"none\" stroke=\"\(color(index))\" stroke-width=\"2\" \(dash)/>")
        names.append((min(last.x, Self.right - 4), last.y - 6, index))
    }

    mutating func drawFocus() {
        let takes = plot.takes.map { take in
            Self.path(take.map { (x: x($0.time), y: y($0.focus)) })
        }
        add("<path d=\"\(takes.joined())\" fill=\"none\" stroke=\"#111\" stroke-width=\"3\" stroke-linejoin=\"round\"/>")
        for name in names {
            let place = "x=\"\(Self.n(name.x - 4))\" y=\"\(Self.n(name.y))\" text-anchor=\"end\" font-style=\"italic\""
            addText(place, plot.tracks[name.track].name, fill: color(name.track))
        }
    }

    /// Each decision stands on the line of focus and is named in the rows above the field.
    mutating func drawChoices() {
        var rows = [Double](repeating: -1, count: 4)
        var names: [(x: Double, y: Double, text: String, choice: FocusPlot.Choice)] = []
        for choice in plot.choices {
            let (x, y) = (x(choice.time), focusY(at: choice.time))
            let who = choice.isFixed ? "fixed" : choice.subject.map { plot.tracks[$0].name } ?? "nothing"
            let (text, width) = ("\(who): \(choice.why.rawValue)", Double(who.count + choice.why.rawValue.count + 2) * 7 + 14)
            let start = min(x, Self.right - width)
            let row = rows.firstIndex { $0 < start } ?? rows.indices.min { rows[$0] < rows[$1] } ?? 0
            rows[row] = start + width
            let rowY = Self.top - 12 - Double(row) * 17
            names.append((start + 3, rowY, text, choice))
            let dash = choice.isUser ? "" : " stroke-dasharray=\"2 3\""
            add("<path d=\"M\(Self.n(x)) \(Self.n(rowY + 3))V\(Self.n(y))\" stroke=\"#777\"\(dash)/>")
            if choice.isUser {
                add("<path transform=\"translate(\(Self.n(x)) \(Self.n(y)))\" d=\"M0 -7L7 0L0 7L-7 0Z\" fill=\"#e5a000\" stroke=\"#111\"/>")
            } else {
                add("<circle cx=\"\(Self.n(x))\" cy=\"\(Self.n(y))\" r=\"5\" fill=\"#fff\" stroke=\"#111\" stroke-width=\"1.5\"/>")
            }
        }
        for name in names {
            let weight = name.choice.isUser ? " font-weight=\"bold\"" : ""
            let fill = name.choice.subject.map { color($0) } ?? "#333"
            addText("x=\"\(Self.n(name.x))\" y=\"\(Self.n(name.y))\"\(weight)", name.text, fill: fill)
        }
    }

    /// Small hollow marks on the line of the subject that was not taken.
    mutating func drawHesitations() {
        for hesitation in plot.hesitations {
            let color = hesitation.subject.map { self.color($0) } ?? "#777"
            add(
                "<circle cx=\"\(Self.n(x(hesitation.time)))\" cy=\"\(Self.n(y(hesitation.disparity)))\" r=\"3.5\" fill=\"#fff\" stroke=\"\(color)\">"
                    + "<title>\(Self.escaped(hesitation.text))</title></circle>")
        }
    }

    private func focusY(at time: Int64) -> Double {
        y((plot.samples.first { $0.time >= time } ?? plot.samples.last)?.focus ?? 0)
    }
}
