import CoreMedia
import Testing

@testable import VideoDevice

@Suite("Numbers and times of a camera's frames")
struct FrameClockTests {
    private static let thirtieth = CMTime(value: 1, timescale: 30)
    private static let frame: Int64 = 33_333_333

    private func places(_ frames: [(UInt32, Int64)]) -> [[Int64]] {
        var clock = FrameClock(frameDuration: Self.thirtieth)
        return frames.map { sequence, time in
            let place = clock.place(sequence: sequence, timestamp: time)
            return [Int64(place.index), place.time, Int64(place.lost)]
        }
    }

    @Test("A count that stands still, or begins anew, loses nothing")
    func counts() {
        #expect(places([(0, 0), (0, 40), (0, 80)]) == [[0, 0, 0], [1, 40, 0], [2, 80, 0]])
        #expect(places([(900, 0), (0, 40)]) == [[0, 0, 0], [1, 40, 0]])
    }

    @Test("Times that stand still, go back or leap are replaced by the length of a frame")
    func times() {
        #expect(places([(0, 100), (1, 100), (2, 140)]) == [[0, 0, 0], [1, Self.frame, 0], [2, Self.frame + 40, 0]])
        #expect(places([(0, 100), (1, 50)]) == [[0, 0, 0], [1, Self.frame, 0]])
        #expect(places([(0, 0), (3, 4_000_000_000_000_000)]) == [[0, 0, 0], [3, 3 * Self.frame, 2]])
    }
}
