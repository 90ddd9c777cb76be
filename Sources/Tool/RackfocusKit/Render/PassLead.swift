import Foundation
import Pipeline

/// Lead of one pass over footage over another that needs what it finds: the follower waits for frames to be settled, the leader while it is too far ahead.
///
/// A follower that waits is never waited for, however far apart frames are.
final class PassLead: @unchecked Sendable {
    private let condition = NSCondition()
    /// Most time between the frame that the follower has and the leader's, ns.
    private let most: Int64
    /// Time up to which all is settled, times of the follower's last frame and of the leader's first, ns; nil before there is one.
    private var settled: Int64?
    private var followed: Int64?
    private var first: Int64?
    private var isWaiting = true
    private var isOver = false
    private var isClosed = false
    private var error: (any Error)?

    init(most: Int64) { self.most = most }

    /// The leader, done with the frame at `time`, has settled all frames up to another time, nil for none; waits while it is too far ahead.
    func settle(through settled: Int64?, at time: Int64) {
        condition.withLock {
            self.settled = settled ?? self.settled
            let first = first ?? time
            self.first = first
            condition.broadcast()
            while !isClosed, !(isWaiting && !isSettled(after: followed)), time - (followed ?? first) > most { condition.wait() }
        }
    }

    /// The leader has settled everything, or failed.
    func finish(_ error: (any Error)? = nil) {
        condition.withLock {
            (isOver, self.error) = (true, error)
            condition.broadcast()
        }
    }

    /// Waits until the frame after `time`, nil for the first, is settled. Throws what the leader failed by before that.
    func wait(after time: Int64?) throws {
        try condition.withLock {
            (followed, isWaiting) = (time, true)
            condition.broadcast()
            while !isSettled(after: time), !isOver, !isClosed { condition.wait() }
            isWaiting = false
            if let error, !isSettled(after: time) { throw error }
        }
    }

    private func isSettled(after time: Int64?) -> Bool {
        guard let settled else { return false }
        return time.map { settled > $0 } ?? true
    }

    /// The follower needs no more.
    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    /// Whether nobody follows any more.
    var isAbandoned: Bool { condition.withLock { isClosed } }
}

/// Footage of a pass between others: its frames come once the pass ahead of it has settled them, and end when nobody needs them any more.
final class PassSource: FrameSource, @unchecked Sendable {
    private let source: any FrameSource
    private let leader: PassLead?
    private let lead: PassLead?
    private let notes: FrameNotes
    private let timings: Timings
    private var last: Int64?
    var description: SourceDescription { source.description }
    var remarks: [String] { source.remarks }

    /// - Parameters:
    ///   - leader: what the pass ahead has settled, `notes` included; nil for the first pass.
    ///   - lead: of this pass over the next one; nil for the last pass.
    ///   - timings: where waiting is booked.
    init(_ source: any FrameSource, behind leader: PassLead?, leading lead: PassLead?, notes: FrameNotes, timings: Timings = Timings(isOn: false)) {
        (self.source, self.leader, self.lead, self.notes, self.timings) = (source, leader, lead, notes, timings)
    }

    func nextFrame() throws -> Frame? {
        if let leader {
            try timings.measure("wait for focus") { try leader.wait(after: last) }
            notes.follow()
        }
        guard lead?.isAbandoned != true, let frame = try source.nextFrame() else { return nil }
        last = frame.presentationTime.nanoseconds
        return frame
    }
}
