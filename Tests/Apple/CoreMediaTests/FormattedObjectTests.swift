import CoreVideo
import Foundation
import Testing

@Suite("Objects in formats")
struct FormattedObjectTests {
    @Test("are written as they describe themselves, between others")
    func objects() {
        let error = NSError(domain: "camera", code: 3)
        #expect(String(format: "%d %@ %@ %.1f", 1, error, "text", 2.5) == "1 \(error.description) text 2.5")
        #expect(String(format: "%@ and %@", NSNumber(value: 4.5), NSNumber(value: 7)) == "4.5 and 7")
    }
}
