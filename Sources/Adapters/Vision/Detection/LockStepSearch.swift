import CoreMedia
import Foundation
import Pipeline
import Support
import Synchronization

/// Searches of the full frame in lock step, begun in the order of frames. They know no tracks, so those of frames to come may be under way while tracks
/// are carried to an earlier one; a network's, which taps ask too, are not.
final class LockStepSearch: Sendable {
    /// One frame's searches.
    struct Begun: Sendable {
        let time: Int64
        let picture: ReducedPicture
        /// Nil where the lens is covered; `sweep`, also where cascades do not sweep.
        let (search, sweep): (ConcurrentTask<Searcher.Finds, VisionError>?, ConcurrentTask<[Hit], VisionError>?)

        func join() {
            search?.join()
            sweep?.join()
        }
    }

    private let searcher: Searcher
    private let timings: Timings?
    /// Each does one frame after the other.
    private let queues = (
        search: DispatchQueue(label: "rackfocus search", qos: .userInitiated), sweep: DispatchQueue(label: "rackfocus sweep", qos: .userInitiated)
    )
    private let state = Mutex(State())
    private let prepared = Mutex<[Begun]>([])

    private struct State {
        var size = CGSize.zero
        var shot: Int?
        var last: Int64?
        var frames = 0
        var isPlanned = false
        /// Whether the next frame opens a shot: it is searched as a whole, since a shot may be over before a search a slice at a time is.
        var opensShot = true
    }

    init(_ searcher: Searcher, timings: Timings?) { (self.searcher, self.timings) = (searcher, timings) }

    deinit { for begun in prepared.withLock({ $0 }) { begun.join() } }

    /// Begins the searches of a frame to come.
    func prepare(_ frame: Frame) throws(VisionError) {
        guard !searcher.hasFaceNet, !searcher.hasObjectNet else { return }
        let begun = try begin(frame, runsSweep: true)
        prepared.withLock { $0.append(begun) }
    }

    /// Searches of a frame: those that were begun, or that begin now.
    func searches(of frame: Frame, runsSweep: Bool) throws(VisionError) -> Begun {
        let ahead = prepared.withLock { $0.first?.time == frame.presentationTime.nanoseconds ? $0.removeFirst() : nil }
        if let ahead { return ahead }
        return try begin(frame, runsSweep: runsSweep)
    }

    private func begin(_ frame: Frame, runsSweep: Bool) throws(VisionError) -> Begun {
        let picture = try ReducedPicture(frame.image, timings)
        return state.withLock { begin(picture, shot: frame.shot, time: frame.presentationTime.nanoseconds, runsSweep: runsSweep, &$0) }
    }

    private func begin(_ picture: ReducedPicture, shot: Int?, time: Int64, runsSweep: Bool, _ state: inout State) -> Begun {
        defer { (state.frames, state.last) = (state.frames + 1, time) }
        let duration = plan(CGSize(width: picture.frameWidth, height: picture.frameHeight), shot, time, &state)
        if let duration { searcher.prepareSearch(for: picture, frameDuration: duration) }
        let isWhole = state.opensShot
        let sweep = { [searcher] () throws(VisionError) -> [Hit] in
            if let duration { searcher.prepareSweep(for: picture, frameDuration: duration) }
            return picture.isBlack || !runsSweep ? [] : try searcher.sweep(picture, isWhole: isWhole)
        }
        guard !picture.isBlack else {
            return Begun(time: time, picture: picture, search: nil, sweep: duration == nil ? nil : ConcurrentTask(on: queues.sweep, sweep))
        }
        state.opensShot = false
        return Begun(
            time: time, picture: picture,
            search: ConcurrentTask(on: queues.search, searcher.makeFullFrameSearch(picture, time: time, isWhole: isWhole)),
            sweep: ConcurrentTask(on: queues.sweep, sweep))
    }

    /// The frame duration in seconds by which searches are to be cut into slices anew: where another size or another shot begins, and in the stream's
    /// second frame, from which on it is known; nil where they go on.
    private func plan(_ size: CGSize, _ shot: Int?, _ time: Int64, _ state: inout State) -> Double? {
        if size != state.size || shot != state.shot {
            if state.size != .zero { searcher.forget() }
            (state.size, state.shot) = (size, shot)
            (state.isPlanned, state.opensShot) = (false, true)
        }
        guard !state.isPlanned || state.frames == 1 else { return nil }
        state.isPlanned = true
        return SearchTime.frameDuration(from: state.last, to: time)
    }
}
