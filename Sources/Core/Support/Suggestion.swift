/// Spelling suggestions for unknown words, by optimal string alignment distance.
package enum Suggestion {
    /// Candidate of the least edit distance, at most a third of the word's length (1 at least); the first of equals; nil when none is near.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let length = word.count
        let limit = max(1, length / 3)
        var best: (distance: Int, word: String)?
        for candidate in candidates {
            // The distance is at least the difference in length: a word of megabytes is near nothing.
            guard abs(length - candidate.count) <= limit else { continue }
            let distance = distance(Array(word.lowercased()), Array(candidate.lowercased()))
            if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
        }
        return best?.word
    }

    /// Question for an error message, "did you mean `…`?"; nil when no candidate is near.
    package static func didYouMean(_ word: String, among candidates: [String]) -> String? {
        nearest(to: word, among: candidates).map { "did you mean `\($0)`?" }
    }

    /// Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours from one word to the other.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
