import Support
import Testing

@Suite("Excerpts of long texts")
struct ExcerptTests {
    @Test("keep beginning and end, and say how much is left out")
    func ends() {
        #expect("short".excerpt(10) == "short")
        let long = "`" + String(repeating: "x", count: 500_000) + "` is no number"
        #expect(long.excerpt(40) == "`xxxxxxxxxxxxxxxxxxx… (499975 characters) …xxxxxx` is no number")
    }

    @Test("of a line show the column, with marks where it goes on", arguments: [(1, "abcd…", 1), (5, "…cdef…", 4), (10, "…ghij", 5)])
    func column(column: Int, text: String, shown: Int) {
        let excerpt = "abcdefghij".excerpt(around: column, width: 4)
        #expect(excerpt.text == text && excerpt.column == shown)
    }

    @Test("a word of megabytes is near none, in no time")
    func suggestion() {
        #expect(Suggestion.nearest(to: String(repeating: "render", count: 100_000), among: ["render", "recover"]) == nil)
        #expect(Suggestion.nearest(to: "rendr", among: ["render", "recover"]) == "render")
    }
}
