import Support
import Testing

@Suite("Text fit for terminals and XML")
struct PrintableTests {
    @Test("control characters are written out, lines and tabs stay")
    func escapes() {
        #expect("plain, ünïcode\tand\nlines".printable == "plain, ünïcode\tand\nlines")
        #expect("a\u{1b}[31mb\u{0}\u{9b}\u{202e}\u{ffff}\r".printable == "a\\u{1b}[31mb\\u{0}\\u{9b}\\u{202e}\\u{ffff}\\u{d}")
    }
}
