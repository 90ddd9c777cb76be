import AVFoundation

// Cause 7: screens that play back what was filmed.

/// Playback of a recording, over and over, with a slider.
@MainActor
public final class PlaybackModel {
    public private(set) var progress = 0.0
    public private(set) var isFailed = false
    public let player = AVPlayer()
    public let layer: AVPlayerLayer
    private var timeObserver: Any?
    private var statusObservation: NSKeyValueObservation?
    private var endObserver: (any NSObjectProtocol)?

    public init() {
        layer = AVPlayerLayer(player: player)
        layer.videoGravity = .resizeAspectFill
        player.actionAtItemEnd = .none
    }

    public func show(_ url: URL) {
        let item = AVPlayerItem(asset: AVURLAsset(url: url))
        statusObservation = item.observe(\.status, options: [.initial, .new]) { [weak self] item, _ in
            guard item.status == .failed else { return }
            Task { @MainActor in self?.isFailed = true }
        }
        endObserver = NotificationCenter.default.addObserver(forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: .main) { [weak self] _ in
            MainActor.assumeIsolated { self?.player.seek(to: .zero) }
        }
        timeObserver = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 10), queue: .main) { [weak self] time in
            MainActor.assumeIsolated { self?.follow(time, of: item) }
        }
        player.replaceCurrentItem(with: item)
        player.play()
    }

    public func drag(to fraction: Double) async {
        guard let duration = player.currentItem?.duration, duration.isNumeric else { return }
        player.pause()
        let time = CMTimeMultiplyByFloat64(duration, multiplier: fraction)
        _ = await player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
    }

    public func close() {
        if let timeObserver { player.removeTimeObserver(timeObserver) }
        if let endObserver { NotificationCenter.default.removeObserver(endObserver) }
        player.replaceCurrentItem(with: nil)
    }

    private func follow(_ time: CMTime, of item: AVPlayerItem) {
        progress = item.duration.isNumeric ? time.seconds / item.duration.seconds : 0
    }
}
