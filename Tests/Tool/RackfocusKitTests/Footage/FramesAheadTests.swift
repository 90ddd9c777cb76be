import CoreMedia
import CoreVideo
import Pipeline
import Support
import Synchronization
import Testing

@testable import RackfocusKit

@Suite("Frames read ahead of who measures them")
struct FramesAheadTests {
    /// Ten frames a second; the shot of each is given.
    private final class Shots: FrameSource {
        let description = SourceDescription(width: 4, height: 4, frameDuration: CMTime(value: 1, timescale: 10), frameCount: 30)
        private let shots: [Int?]
        private let next = Mutex(0)

        init(_ shots: [Int?]) { self.shots = shots }

        func nextFrame() -> Frame? {
            next.withLock { next in
                guard next < shots.count else { return nil }
                defer { next += 1 }
                let image = CVPixelBuffer(width: 4, height: 4, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
                var frame = Frame(index: next, presentationTime: CMTime(value: CMTimeValue(next), timescale: 10), image: image)
                frame.shot = shots[next]
                return frame
            }
        }
    }

    /// Notes what it is asked, in order.
    private final class Noting: DisparityEstimator {
        enum Call: Equatable { case prepared(Int), opened([Int]), measured(Int) }

        let opening: Int64
        let calls = Mutex<[Call]>([])
        init(opening: Int64) { self.opening = opening }

        func prepare(_ frame: Frame) { calls.withLock { $0.append(.prepared(frame.index)) } }
        func open(_ frames: [Frame]) { calls.withLock { $0.append(.opened(frames.map(\.index))) } }
        func disparity(of frame: Frame) -> DisparityMap {
            calls.withLock { $0.append(.measured(frame.index)) }
            return .flat
        }
    }

    private static func calls(_ shots: [Int?], opening: Int64) throws -> (indices: [Int], calls: [Noting.Call]) {
        let estimator = Noting(opening: opening)
        let ahead = FramesAhead(Shots(shots), estimator: estimator, timings: Timings(isOn: false))
        var indices: [Int] = []
        while let frame = try ahead.nextFrame() { indices.append(frame.index) }
        return (indices, estimator.calls.withLock { $0 })
    }

    @Test("the frames that a shot opens with are shown, once all are prepared, ahead of the first one's turn")
    func openings() throws {
        let (indices, calls) = try Self.calls([Int?](repeating: 0, count: 8) + [1, 1, 1, 2], opening: 500_000_000)
        #expect(indices == Array(0..<12))
        let opened = [(0, [0, 1, 2, 3, 4]), (8, [8, 9, 10]), (11, [11])]
        #expect(calls.filter { if case .opened = $0 { true } else { false } } == opened.map { .opened($0.1) })
        for (first, frames) in opened {
            let place = try #require(calls.firstIndex(of: .opened(frames)))
            #expect(try #require(calls.firstIndex(of: .measured(first))) > place)
            for frame in frames { #expect(try #require(calls.firstIndex(of: .prepared(frame))) < place) }
        }
    }

    @Test("an estimator that asks for none is shown none, nor are frames of no shot", arguments: [(0, 0), (500_000_000, nil)] as [(Int64, Int?)])
    func none(opening: Int64, shot: Int?) throws {
        let (indices, calls) = try Self.calls([Int?](repeating: shot, count: 6), opening: opening)
        #expect(indices == Array(0..<6) && !calls.contains { if case .opened = $0 { true } else { false } })
    }
}
