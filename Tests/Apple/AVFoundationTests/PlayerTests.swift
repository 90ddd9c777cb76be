import AVFoundation
import CoreMedia
import Foundation
import MovieSupport
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import AVFAssets

@Suite("A player")
struct PlayerTests {
    /// Movie of ten pictures, a third of a second long, whose luma is 16 + 20 n.
    private static func tenPictures() -> DrawnMovie {
        DrawnMovie(10, each: CMTime(value: 1, timescale: 30), width: 16, height: 8) { index, _ in
            let picture = CVPixelBuffer(width: 16, height: 8, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            memset(picture.plane(0).base, Int32(16 + 20 * index), picture.plane(0).bytesPerRow * 8)
            return .picture(picture)
        }
    }

    private static func asset(isReadable: Bool = true) -> AVAsset {
        var environment = CaptureEnvironment(cameras: [], renderer: nil) { _ in throw AVError(.unknown) }
        if isReadable { environment.openAsset = { _ in tenPictures() } }
        return CaptureEnvironment.$scoped.withValue(environment) { AVAsset(url: URL(fileURLWithPath: "/nowhere/ten.mov")) }
    }

    /// Player of several items by a clock that stands.
    private static func queue(of count: Int) -> (VirtualClock, [AVPlayerItem], AVQueuePlayer) {
        let (clock, items) = (VirtualClock(), (0..<count).map { _ in AVPlayerItem(asset: asset()) })
        let player = AVQueuePlayer(items: items)
        player.sourceClock = clock.clock
        return (clock, items, player)
    }

    /// Time in thirtieths of a second.
    private static func frames(_ count: Int64) -> CMTime { CMTime(value: count, timescale: 30) }

    /// Waits until an item is loaded, or has failed.
    private static func load(_ item: AVPlayerItem) async { await settling(item, options: .initial)() }

    /// Wait for the notice that an item is loaded, or has failed.
    private static func settling(_ item: AVPlayerItem, options: NSKeyValueObservingOptions = []) -> () async -> Void {
        let (stream, end) = AsyncStream<Void>.makeStream()
        let observation = item.observe(\.status, options: options) { item, _ in if item.status != .unknown { end.finish() } }
        return {
            for await _ in stream {}
            observation.invalidate()
        }
    }

    /// Player of a loaded item by a clock that stands, and a queue for its observers.
    private static func observed() async -> (VirtualClock, DispatchQueue, AVPlayer) {
        let (clock, item) = (VirtualClock(), AVPlayerItem(asset: asset()))
        let player = AVPlayer(playerItem: item)
        player.sourceClock = clock.clock
        await load(item)
        return (clock, DispatchQueue(label: "observers"), player)
    }

    private final class Heard<Value: Sendable>: Sendable {
        let values = Mutex<[Value]>([])
        var all: [Value] { values.withLock { $0 } }
        func add(_ value: Value) { values.withLock { $0.append(value) } }
    }

    @Test("says once that it has ended, on however many threads that is noticed")
    func oneEnd() async {
        let (clock, _, player) = await Self.observed()
        let ends = Heard<Int>()
        let center = NotificationCenter.default
        let token = center.addObserver(forName: .AVPlayerItemDidPlayToEndTime, object: player.currentItem, queue: nil) { _ in ends.add(1) }
        defer { center.removeObserver(token) }
        for round in Int64(1)...300 {
            await player.seek(to: .zero)
            player.play()
            clock.advance(to: Self.frames(20 * round))
            DispatchQueue.concurrentPerform(iterations: 8) { _ in player.tick() }
            #expect(eventually { player.rate == 0 })
            #expect(eventually { ends.all.count >= Int(round) })
        }
        #expect(ends.all.count == 300)
    }

    @Test("is observed as a queue player with an item of an app's own class, too")
    func ownClasses() {
        final class OwnItem: AVPlayerItem, @unchecked Sendable {}
        let (player, item) = (AVQueuePlayer(), OwnItem(asset: Self.asset()))
        let (rates, statuses) = (Heard<Float>(), Heard<AVPlayerItem.Status>())
        let observations = [
            player.observe(\.rate, options: .new) { _, change in if let new = change.newValue { rates.add(new) } },
            item.observe(\.status, options: .new) { _, change in if let new = change.newValue { statuses.add(new) } },
        ]
        player.insert(item, after: nil)
        player.play()
        #expect(rates.all == [1] && eventually { statuses.all == [.readyToPlay] })
        for observation in observations { observation.invalidate() }
    }

    @Test("waits for its item, plays it by its clock, stops at its end and says so")
    func course() async {
        let clock = VirtualClock()
        let (player, item) = (AVPlayer(), AVPlayerItem(asset: Self.asset()))
        player.sourceClock = clock.clock
        let states = Heard<AVPlayer.TimeControlStatus>()
        let observation = player.observe(\.timeControlStatus, options: .new) { player, change in if let new = change.newValue { states.add(new) } }
        let ends = Heard<Int>()
        let token = NotificationCenter.default.addObserver(forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: nil) { _ in ends.add(1) }
        defer { NotificationCenter.default.removeObserver(token) }
        player.play()
        #expect(player.rate == 1 && player.reasonForWaitingToPlay == .noItemToPlay && item.duration == .indefinite)
        let settled = Self.settling(item)
        player.replaceCurrentItem(with: item)
        await settled()
        #expect(item.status == .readyToPlay && item.duration == Self.frames(10) && item.presentationSize == CGSize(width: 8, height: 16))
        #expect(player.status == .readyToPlay && player.timeControlStatus == .playing && player.currentTime() == .zero)
        clock.advance(to: Self.frames(4))
        #expect(player.currentTime() == Self.frames(4))
        player.rate = 0.5
        clock.advance(to: Self.frames(8))
        #expect(abs(player.currentTime().seconds - 6 / 30) < 1e-6)
        player.play()
        clock.advance(to: Self.frames(30))
        player.tick()
        player.tick()
        #expect(eventually { ends.all == [1] }, "a tick of the player's own may be under way")
        #expect(player.currentTime() == Self.frames(10) && player.rate == 0)
        #expect(states.all == [.waitingToPlayAtSpecifiedRate, .playing, .paused])
        await player.seek(to: .zero)
        player.play()
        clock.advance(to: Self.frames(31))
        #expect(player.currentTime() == Self.frames(1))
        observation.invalidate()
    }

    @Test("fails with its item, and says why")
    func failure() async {
        let item = AVPlayerItem(asset: Self.asset(isReadable: false))
        let settled = Self.settling(item)
        let player = AVPlayer(playerItem: item)
        player.play()
        await settled()
        #expect(item.status == .failed && (item.error as? AVError)?.code == .unknown)
        #expect(player.status == .unknown && player.timeControlStatus == .paused && !AVPlayerLayer(player: player).isReadyForDisplay)
        player.play()
        #expect(player.rate == 0)
    }

    @Test("tells of intervals, times and jumps, in order")
    func observers() async {
        let (clock, queue, player) = await Self.observed()
        let (times, marks) = (Heard<Int64>(), Heard<Int>())
        let periodic = player.addPeriodicTimeObserver(forInterval: Self.frames(2), queue: queue) {
            times.add(CMTimeConvertScale($0, timescale: 30, method: .default).value)
        }
        let boundary = player.addBoundaryTimeObserver(forTimes: [NSValue(time: Self.frames(3))], queue: queue) { marks.add(1) }
        player.play()
        for frame in 1...5 {
            clock.advance(to: Self.frames(Int64(frame)))
            player.tick()
        }
        queue.sync {}
        #expect(times.all == [0, 2, 4] && marks.all == [1])
        #expect(await player.seek(to: Self.frames(9)))
        queue.sync {}
        #expect(times.all == [0, 2, 4, 9])
        player.removeTimeObserver(periodic)
        player.removeTimeObserver(boundary)
        player.pause()
        queue.sync {}
        #expect(times.all == [0, 2, 4, 9])
    }

    @Test("tells times in their order, also when several threads notice them")
    func order() async {
        let (clock, queue, player) = await Self.observed()
        let times = Heard<CMTime>()
        let observer = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 300_000), queue: queue) { times.add($0) }
        player.play()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for step in 0..<20_000 {
                if thread == 0 { clock.advance(to: CMTime(value: Int64(step), timescale: 300_000)) }
                player.tick()
            }
        }
        player.removeTimeObserver(observer)
        queue.sync {}
        #expect(times.all.count > 1000 && zip(times.all, times.all.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("tells of a jump once, also when another thread notices it")
    func jumps() async {
        let (_, queue, player) = await Self.observed()
        let times = Heard<CMTime>()
        let observer = player.addPeriodicTimeObserver(forInterval: Self.frames(1), queue: queue) { times.add($0) }
        player.play()
        let jumps = (0..<2000).map { Self.frames($0 % 2 == 0 ? 6 : 3) }
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            for time in jumps {
                if thread == 0 { player.seek(to: time) } else { player.tick() }
            }
        }
        player.removeTimeObserver(observer)
        queue.sync {}
        #expect(times.all == [.zero] + jumps)
    }

    @Test("shows the picture of its time, on its layer and in an output")
    func pictures() async throws {
        let item = AVPlayerItem(asset: Self.asset())
        let player = AVPlayer(playerItem: item)
        let layer = AVPlayerLayer()
        layer.bounds = CGRect(x: 0, y: 0, width: 100, height: 100)
        let output = AVPlayerItemVideoOutput(pixelBufferAttributes: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
        item.add(output)
        #expect(layer.copyDisplayedPixelBuffer() == nil && layer.videoRect == .zero && !layer.isReadyForDisplay)
        layer.player = player
        await Self.load(item)
        #expect(layer.isReadyForDisplay && layer.videoRect == CGRect(x: 25, y: 0, width: 50, height: 100))
        for frame: Int64 in [0, 3, 4, 9, 2] {
            await player.seek(to: Self.frames(frame))
            let shown = try #require(layer.copyDisplayedPixelBuffer())
            #expect(shown.plane(0).row(0, as: UInt8.self)[0] == UInt8(16 + 20 * frame))
            var time = CMTime.invalid
            #expect(output.hasNewPixelBuffer(forItemTime: player.currentTime()))
            let copied = try #require(output.copyPixelBuffer(forItemTime: player.currentTime(), itemTimeForDisplay: &time))
            #expect(time == Self.frames(frame) && copied.format == kCVPixelFormatType_32BGRA)
            #expect(!output.hasNewPixelBuffer(forItemTime: player.currentTime()))
        }
        await player.seek(to: .positiveInfinity)
        #expect(layer.copyDisplayedPixelBuffer()?.plane(0).row(0, as: UInt8.self)[0] == 196)
    }

    @Test("knows its tracks and times, goes on by pictures, and finds the time of a clock's")
    func stepping() async throws {
        let item = AVPlayerItem(asset: Self.asset())
        let output = AVPlayerItemVideoOutput()
        item.add(output)
        #expect(item.tracks.isEmpty && item.loadedTimeRanges.isEmpty && !item.canStepForward && !output.itemTime(forHostTime: 1).isNumeric)
        let player = AVPlayer(playerItem: item)
        await Self.load(item)
        #expect(item.tracks.map { $0.assetTrack?.mediaType } == [.video] && item.canStepForward && item.isPlaybackBufferFull)
        #expect(item.loadedTimeRanges.map(\.timeRangeValue) == [CMTimeRange(start: .zero, duration: Self.frames(10))])
        item.step(byCount: 3)
        item.step(byCount: -1)
        #expect(abs(item.currentTime().seconds - 2.0 / 30) < 1e-4)
        let rates = Heard<Float>()
        let token = NotificationCenter.default.addObserver(forName: AVPlayer.rateDidChangeNotification, object: player, queue: nil) {
            if let player = $0.object as? AVPlayer { rates.add(player.rate) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let now = CMClock.hostTimeClock.time
        player.setRate(0.01, time: Self.frames(6), atHostTime: now)
        #expect(abs(output.itemTime(forHostTime: now.seconds + 2).seconds - 0.22) < 1e-3)
        player.pause()
        #expect(rates.all == [0.01, 0])
        player.preroll(atRate: 1) { rates.add($0 ? 1 : -1) }
        #expect(rates.all.last == 1)
    }

    @Test("goes through a queue, and repeats an item")
    func queue() async {
        let (clock, items, player) = Self.queue(of: 2)
        #expect(player.items() == items && !player.canInsert(items[1], after: nil))
        await Self.load(items[0])
        player.play()
        clock.advance(to: Self.frames(20))
        player.tick()
        #expect(eventually { player.currentItem === items[1] })
        #expect(player.items().count == 1 && player.rate == 1)
        player.removeAllItems()
        #expect(player.currentItem == nil && player.timeControlStatus == .waitingToPlayAtSpecifiedRate)

        let range = CMTimeRange(start: Self.frames(2), end: Self.frames(5))
        let looper = AVPlayerLooper(player: player, templateItem: items[0], timeRange: range)
        for loop in 1...4 {
            guard let item = player.currentItem else { break }
            await Self.load(item)
            #expect(item.currentTime() >= Self.frames(2) && looper.loopCount == loop - 1)
            clock.advance(to: clock.clock.time + Self.frames(10))
            player.tick()
            #expect(eventually { looper.loopCount == loop })
        }
        #expect(eventually { player.items().count == 3 } && looper.status == .ready)
        looper.disableLooping()
        #expect(player.items().count == 1 && looper.status == .cancelled)
    }

    /// Several threads see the end at once; none may take the next item for one that has ended.
    @Test("goes on once at each end")
    func ends() async {
        let (clock, items, player) = Self.queue(of: 100)
        player.play()
        for index in items.indices {
            await Self.load(items[index])
            clock.advance(to: clock.clock.time + Self.frames(20))
            DispatchQueue.concurrentPerform(iterations: 8) { _ in player.tick() }
            guard eventually({ player.items() == Array(items[(index + 1)...]) }) else {
                Issue.record("after item \(index) there are \(player.items().count) items")
                break
            }
        }
    }

    @Test("boxes times and ranges for lists of them")
    func values() {
        let value = NSValue(time: CMTime(value: 1, timescale: 2))
        #expect(value.timeValue == CMTime(value: 1, timescale: 2) && value == NSValue(time: CMTime(value: 2, timescale: 4)))
        #expect(Set([value, NSValue(time: CMTime(value: 2, timescale: 4))]).count == 1 && value.timeRangeValue == .invalid)
        let range = CMTimeRange(start: .zero, duration: Self.frames(3))
        #expect(NSValue(timeRange: range).timeRangeValue == range && NSValue(timeRange: range) != value)
    }
}
