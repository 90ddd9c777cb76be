import CameraApp
import Foundation
import Testing

@Suite("A finger is a tap or a long press")
struct TapOrPressTests {
    private let point = CGPoint(x: 100, y: 50)

    private func release(after milliseconds: Int64) -> TapOrPress.Gesture? {
        var recogniser = TapOrPress()
        recogniser.down(at: point, time: 1_000_000_000)
        return recogniser.up(time: 1_000_000_000 + milliseconds * 1_000_000)
    }

    @Test("Released before 300 ms is a tap, from then on a press", arguments: [(1, false), (100, false), (299, false), (300, true), (301, true)])
    func boundary(milliseconds: Int64, isPress: Bool) {
        #expect(release(after: milliseconds) == (isPress ? .longPress(point) : .tap(point)))
    }

    @Test("A press is reported once, while the finger is still down")
    func pressWhileDown() {
        var recogniser = TapOrPress()
        recogniser.down(at: point, time: 0)
        #expect(recogniser.timePassed(to: 299_999_999) == nil)
        #expect(recogniser.timePassed(to: 300_000_000) == .longPress(point))
        #expect(recogniser.timePassed(to: 400_000_000) == nil)
        #expect(recogniser.up(time: 500_000_000) == nil)
    }

    @Test("A finger that strays is neither", arguments: [(9.9, true), (10.1, false)])
    func straying(distance: Double, isTap: Bool) {
        var recogniser = TapOrPress()
        recogniser.down(at: point, time: 0)
        recogniser.moved(to: CGPoint(x: point.x + distance, y: point.y))
        #expect(recogniser.up(time: 100_000_000) == (isTap ? .tap(point) : nil))
    }
}
