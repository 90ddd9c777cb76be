extension String {
    /// Excerpt of a text that an input may have made long: its beginning and its end, with the number of characters left out between them, at most
    /// about `length` scalars; the text itself where it is no longer.
    package func excerpt(_ length: Int = 400) -> String {
        guard utf8.count > length, unicodeScalars.count > length else { return self }
        let (head, tail) = (unicodeScalars.prefix(length / 2), unicodeScalars.suffix(length / 2))
        return "\(String(head))… (\(unicodeScalars.count - head.count - tail.count) characters) …\(String(tail))"
    }

    /// Part of a line around a column, and that column within it: `width` scalars, with `…` where the line goes on. Columns count from 1.
    package func excerpt(around column: Int, width: Int = 160) -> (text: String, column: Int) {
        guard utf8.count > width, unicodeScalars.count > width else { return (self, column) }
        let count = unicodeScalars.count
        let first = min(max(column - 1 - width / 2, 0), count - width)
        let start = unicodeScalars.index(unicodeScalars.startIndex, offsetBy: first)
        let end = unicodeScalars.index(start, offsetBy: width)
        let text = (first > 0 ? "…" : "") + String(unicodeScalars[start..<end]) + (first + width < count ? "…" : "")
        return (text, column - first + (first > 0 ? 1 : 0))
    }
}
