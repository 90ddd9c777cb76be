import CoreMedia
import Focus
import Foundation
import Pipeline

/// List of edits of a cinematic movie, as a text in YAML: beside its movie it is what `rackfocus edit` keeps, by itself it can be reviewed and repeated.
///
///     movie: take.mov
///     digest: 9f2c…          # of the movie's metadata; optional in a list that is written by hand
///     edits:
///       - 2s: {focus: maya}
///       - 00:00:03:12: {focus: {on: {at: [0.4, 0.5]}, mode: weak}}
///       - 5s: {aperture: {to: f/1.4, over: 2s}}
///
/// A time is seconds (`2s`), a frame (`48f`) or a timecode of the movie, and means the nearest frame. `focus` is like a scenario's: a subject, a
/// place `{at: [x, y]}` or a distance; `mode` is weak, strong (default) or fixed (default of a distance). `{move: 2.5s}` moves the user's decision of a
/// frame, `{remove: focus}` removes it; `automatic` removes all of them, `reset` goes back to what was recorded. Edits are applied in order.
public struct EditList: Sendable {
    /// One edit with its place in the text.
    public struct Item: Sendable {
        /// The edit.
        public var edit: FocusEdit
        let source: SourceText
        let mark: Mark

        /// Error at the edit's place.
        package func error(_ message: String) -> ScenarioError { source.error(at: mark, message) }

        /// Text of the edit, as it is written in the list.
        public var text: String { edit.yaml }

        /// The same without what was found at its place, which may be long.
        public var summary: String {
            guard case .focus(var focus, let point) = edit else { return text }
            focus.found = nil
            return FocusEdit.focus(focus, at: point).yaml
        }
    }

    /// Name of the movie's file; nil where the list does not say.
    public var movie: String?
    /// Digest of the movie's metadata; nil where the list does not say.
    public var digest: String?
    /// Edits in order.
    public var items: [Item]

    /// Creates a list without edits.
    public init(movie: String? = nil, digest: String? = nil) { (self.movie, self.digest, items) = (movie, digest, []) }

    /// The list in YAML.
    public var text: String {
        var lines = ["# Edits for `rackfocus edit`, applied in order. The movie itself stays as it was recorded."]
        if let movie { lines.append("movie: \(movie.yaml)") }
        if let digest { lines.append("digest: \(digest)") }
        lines.append(items.isEmpty ? "edits: []" : "edits:")
        lines += items.map { "  - \($0.text)" }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension FocusEdit {
    /// The edit in YAML, in one line.
    var yaml: String {
        switch self {
        case .focus(let focus, let point): "\(point.yaml): {focus: \(focus.yaml)}"
        case .remove(let point): "\(point.yaml): {remove: focus}"
        case .move(let from, let to): "\(from.yaml): {move: \(to.yaml)}"
        case .aperture(let pull, let point):
            pull.over == 0
                ? "\(point.yaml): {aperture: f/\(String(plain: pull.fNumber))}"
                : "\(point.yaml): {aperture: {to: f/\(String(plain: pull.fNumber)), over: \(String(plain: Double(pull.over) / 1e9))s, ease: \(pull.ease)}}"
        case .automatic: "automatic"
        case .reset: "reset"
        }
    }
}

extension FocusEdit.Focus {
    fileprivate var yaml: String {
        let target =
            switch target {
            case .subject(let word): word.yaml
            case .point(let point): "{at: [\(point.x.yaml), \(point.y.yaml)]}"
            case .distance(let metres): "\(String(plain: metres))m"
            }
        let rest = [mode.map { "mode: \($0.rawValue)" }, found.map { "found: {\($0.yaml)}" }].compactMap { $0 }
        return rest.isEmpty && !target.hasPrefix("{") ? target : "{" + (["on: \(target)"] + rest).joined(separator: ", ") + "}"
    }
}

extension FocusEdit.Found {
    fileprivate var yaml: String {
        switch self {
        case .object(let id): return "object: \(id)"
        case .surface(let disparity): return "disparity: \(disparity.yaml)"
        case .track(let boxes):
            let rows = boxes.map { box in
                let numbers = [box.bounds.minX, box.bounds.minY, box.bounds.width, box.bounds.height].map { Double($0).yaml }
                return "[\(([String(box.frame)] + numbers + [box.disparity.map(\.yaml) ?? "none"]).joined(separator: ", "))]"
            }
            return "track: [\(rows.joined(separator: ", "))]"
        }
    }
}

extension FootageSpan.Point {
    fileprivate var yaml: String {
        guard case .time(let time) = self else { return description }
        return "\(String(plain: time.seconds))s"
    }
}

extension BinaryFloatingPoint {
    /// Number with at most five decimals, which is what is kept of places and disparities.
    fileprivate var yaml: String { String(plain: (Double(self) * 100_000).rounded() / 100_000) }
}

extension String {
    /// The text as a YAML scalar: plain where that is safe, else in double quotes.
    fileprivate var yaml: String {
        let isPlain = first?.isLetter == true && allSatisfy { $0.isLetter || $0.isNumber || "-_. ".contains($0) } && last != " "
        guard !isPlain else { return self }
        let escaped = unicodeScalars.map { scalar in
            scalar == "\"" || scalar == "\\"
                ? "\\\(scalar)" : scalar.value < 32 ? "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16) : String(scalar)
        }
        return "\"\(escaped.joined())\""
    }
}
