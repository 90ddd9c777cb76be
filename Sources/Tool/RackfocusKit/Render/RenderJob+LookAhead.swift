import AVFoundation
import Focus
import Foundation
import Pipeline
import ScenarioFormat
import ScenarioResults
import ScenarioRun
import Support
import Synchronization

/// Look-ahead of a render: feed and focus plan for the run that draws, and the passes that still fill them.
final class RenderLookAhead {
    /// Feed of the run that draws, with what was, or will have been, seen and measured.
    fileprivate(set) var feed: CameraFeed
    /// Nil where racks begin when they are decided.
    fileprivate(set) var plan: FocusPlan?
    private var passes: [(ended: DispatchGroup, lead: PassLead)] = []

    init(_ feed: CameraFeed) { self.feed = feed }

    /// Starts a pass on a thread of its own, which waits for others most of the time; what it fails by reaches whoever follows it.
    fileprivate func start(_ lead: PassLead, _ pass: @escaping () throws -> Void) {
        nonisolated(unsafe) let pass = pass
        let ended = DispatchGroup()
        ended.enter()
        Thread.detach(named: "look-ahead") {
            defer { ended.leave() }
            do {
                try pass()
                lead.finish()
            } catch {
                lead.finish(error)
            }
        }
        passes.append((ended, lead))
    }

    /// Ends the passes, the last one first; those that are through have ended.
    func end() {
        for pass in passes.reversed() {
            pass.lead.close()
            pass.ended.wait()
        }
        passes = []
    }
}

/// Order of the passes over footage with `mode: post`.
///
/// Without a script the look-ahead runs beside the drawing, as far ahead as focus needs (`FocusPlan.future`):
///
///     detect ──2.8 s──► guess depth, decide ──2.5 s──► draw        plain video
///              measure, detect, decide ──────2.5 s──► draw        everything else
///
/// With a script, whose orders may reach any way ahead, and where takes bring disparity of their own with people to be completed, all of the
/// footage is looked at before the first frame is drawn.
extension RenderJob {
    /// Seconds that footage may take: a week.
    private static let longest = 604_800.0
    /// Time that a pass may be ahead of what the one behind it waits for, ns.
    private static let slack: Int64 = 2_000_000_000

    /// Begins to look ahead, or does all of it.
    func lookAhead(into runDirectory: OutputDirectory?) throws -> (FootageAnalysis, RenderLookAhead) {
        let analysing = FootageAnalysis(feed, analysis, key, into: runDirectory, limit: options.keptBytes)
        if mayDrawMeanwhile(analysing) { return (analysing, try lookAheadMeanwhile(analysing)) }
        let rehearsal = try rehearse(analysing)
        if analysing.hasAgreed { return (analysing, after(rehearsal, analysing)) }
        let feed = try Self.open(scenario, options, Self.timings(of: scenario, timings), notes, detector: nil)
        let anew = FootageAnalysis(feed, nil, key, into: runDirectory, limit: options.keptBytes)
        return (anew, after(try rehearse(anew), anew))
    }

    private func after(_ rehearsal: (plan: FocusPlan, log: DetectionLog?)?, _ analysing: FootageAnalysis) -> RenderLookAhead {
        let ahead = RenderLookAhead(analysing.feedAfterRehearsal)
        ahead.plan = rehearsal?.plan
        if let log = rehearsal?.log { ahead.feed.detector = RecordedDetector(log, path: options.output) }
        ahead.feed = drawn(ahead.feed)
        return ahead
    }

    /// A feed of the run that draws whose disparity is that of a rehearsal which saw the pixels, whether it is kept or guessed anew.
    private func drawn(_ feed: CameraFeed) -> CameraFeed {
        guard scenario.mode == .post, scenario.clip.detections == .vision, !feed.readsKeptDisparity, case .estimated = feed.depth,
            let recorded = feed.detector as? RecordedDetector
        else { return feed }
        return feed.readAhead(estimator: estimator(of: feed, recorded: recorded), isAsked: false, timings: timings)
    }

    /// Estimator of frames that are read ahead.
    private func estimator(of feed: CameraFeed, recorded: RecordedDetector?) -> (any DisparityEstimator)? {
        mayLeaveFramesOut ? nil : feed.estimator(recorded: recorded)
    }

    /// Whether the script asks something of the camera or of its detector, so that what is seen depends on it.
    private var isScripted: Bool { scenario.timeline.contains { $0.verb is any GestureVerb || $0.verb is any PlayedVerb } }

    /// Whether the script may have the camera leave frames out, which no estimator is to see then.
    private var mayLeaveFramesOut: Bool { scenario.timeline.contains { $0.verb is SessionVerb } }

    /// Whether subjects that are seen late are completed.
    private func completes(_ analysing: FootageAnalysis) -> Bool {
        scenario.clip.source.isPlain && !analysing.isKept && scenario.clip.detections == .vision
    }

    private func isGuessed(_ analysing: FootageAnalysis) -> Bool { if case .estimated = analysing.feed.depth { true } else { false } }

    private func mayDrawMeanwhile(_ analysing: FootageAnalysis) -> Bool {
        scenario.mode == .post && scenario.timeline.isEmpty && !scenario.clip.source.isSynthetic && analysing.hasAgreed
            && (isGuessed(analysing) || !completes(analysing))
    }

    /// Starts the passes ahead of the one that draws.
    private func lookAheadMeanwhile(_ analysing: FootageAnalysis) throws -> RenderLookAhead {
        let ahead = RenderLookAhead(analysing.feedBehindRehearsal)
        let isVision = scenario.clip.detections == .vision
        var detector = isVision ? analysing.feed.detector : nil
        var leader: PassLead?
        var prepared: PreparedFrames?
        if completes(analysing) {
            // The drawing leaves its own estimator unused if it reads maps.
            if case .estimated(let estimator) = analysing.feed.depth, ahead.feed.readsKeptDisparity {
                prepared = PreparedFrames(estimator, of: analysing.feed.source.description)
            }
            let trail = DetectionTrail(completesOpenings: true, path: options.output)
            let lead = PassLead(most: DetectionTrail.longest + Self.slack)
            ahead.start(lead) { [detector, prepared] in
                let record = try self.rehearse(with: detector, isFlat: true, analysing, leading: lead, prepared: prepared) { frame, record in
                    lead.settle(through: trail.advance(record), at: frame.time)
                }
                _ = trail.advance(record, isOver: true)
            }
            (detector, leader) = (trail.replay, lead)
        }
        let plan = FocusPlan(growingBy: scenario.tuning)
        let trail = DetectionTrail(completesOpenings: false, path: options.output)
        let lead = PassLead(most: plan.future + Self.slack)
        ahead.start(lead) { [detector, leader, prepared, timings] in
            try timings.measure("look ahead") {
                let record = try self.rehearse(with: detector, analysing, behind: leader, leading: lead, prepared: prepared) { frame, record in
                    _ = trail.advance(record)
                    lead.settle(through: plan.append(frame), at: frame.time)
                }
                _ = trail.advance(record, isOver: true)
                plan.end()
            }
        }
        ahead.plan = plan
        if ahead.feed.readsKeptDisparity { notes.dropRightPictures() }
        ahead.feed.source = PassSource(ahead.feed.source, behind: lead, leading: nil, notes: notes, timings: timings)
        if isVision { ahead.feed.detector = trail.replay }
        ahead.feed = drawn(ahead.feed)
        return ahead
    }

    /// Focus plan for `mode: post`, from a run without a lens, and what was detected in it, which need not be searched for again; nil in other modes.
    ///
    /// People whose detections depth is guessed from are there from the first frame of their shot, and the plan is that of a run that sees them.
    private func rehearse(_ analysing: FootageAnalysis) throws -> (plan: FocusPlan, log: DetectionLog?)? {
        guard scenario.mode == .post else {
            // A kept analysis holds only if the same is asked of it.
            if analysing.isKept, isScripted { _ = try timings.measure("look ahead") { try plan(with: analysing.feed.detector, analysing) } }
            return nil
        }
        return try timings.measure("look ahead") {
            // The one look at the pixels: what is seen here is recorded, and a second detector would take time to open.
            let detector = scenario.clip.detections == .vision ? analysing.feed.detector : nil
            let mayChange = completes(analysing)
            // Depth is guessed from what was seen in the end; before, too, where a script makes what is seen depend on it.
            let isGuessed = mayChange && isGuessed(analysing)
            let first = try plan(with: detector, isFlat: isGuessed && !isScripted, analysing)
            guard mayChange, let log = first.log else { return (first.plan, first.log) }
            let completed = log.completingOpenings()
            guard isGuessed || completed != log || first.isAmended else { return (first.plan, log) }
            return (try plan(with: RecordedDetector(completed, path: options.output), analysing).plan, completed)
        }
    }

    /// Plan of one rehearsal, and whether its log holds what was found too late for it.
    private func plan(
        with detector: (any SubjectDetector)?, isFlat: Bool = false, _ analysing: FootageAnalysis
    ) throws -> (plan: FocusPlan, log: DetectionLog?, isAmended: Bool) {
        let frames = Mutex<[LookAhead.Recorded]>([])
        let record = try rehearse(with: detector, isFlat: isFlat, analysing) { frame, _ in frames.withLock { $0.append(frame) } }
        let plan = FocusPlan(frames.withLock { $0 }, scenario.tuning)
        return scenario.clip.detections == .vision ? (plan, record.log, record.isAmended) : (plan, nil, false)
    }

    /// One rehearsal, and the record of what it saw; `detector` stands in for the clip's own. Where it `isFlat` no depth is guessed, and frames are
    /// `prepared` for the one that guesses it and takes them. `onFrame` is called with every frame once it is decided.
    private func rehearse(
        with detector: (any SubjectDetector)?, isFlat: Bool = false, _ analysing: FootageAnalysis, behind leader: PassLead? = nil,
        leading lead: PassLead? = nil, prepared: PreparedFrames? = nil, onFrame: @escaping @Sendable (LookAhead.Recorded, RecordingDetector) -> Void
    ) throws -> RecordingDetector {
        let rehearsal = scenario.withoutFaultsOfSystem
        let inner = Timings(inside: timings)
        // No lens reads its maps, nor pictures in the footage's own coding.
        var feed = try CameraFeed.open(rehearsal, models: options.models, detector: detector, timings: nil, notes: notes)
        feed.upsampler = nil
        if isFlat {
            feed = feed.replacingDepth(measured: { $0 }, estimated: { _ in FlatDisparity() })
            if let prepared { feed.source = prepared.preparing(feed.source, timings: inner) }
        } else {
            if let prepared {
                feed = feed.replacingDepth(measured: { $0 }, estimated: { _ in prepared.depth })
                feed.source = prepared
            }
            feed = analysing.rehearsed(feed)
        }
        if lead != nil { feed.source = PassSource(feed.source, behind: leader, leading: lead, notes: notes) }
        if !rehearsal.clip.source.isSynthetic {
            let estimator = estimator(of: feed, recorded: detector as? RecordedDetector)
            feed = feed.readAhead(estimator: estimator, isAsked: !isScripted, timings: inner)
        }
        let recorder = RecordingDetector(feed.detector, of: feed.source.description, named: rehearsal.name)
        feed.detector = recorder
        do {
            try ScenarioRunner.record(of: rehearsal, feed: feed, timings: inner, timeLimit: Self.longest) { onFrame($0, recorder) }
        } catch {
            throw error.root
        }
        return recorder
    }
}
