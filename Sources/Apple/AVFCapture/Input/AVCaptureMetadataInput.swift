import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Timed metadata of an app's own, as of the place, on their way into the MOV files of a session.
///
///     let input = AVCaptureMetadataInput(formatDescription: format, clock: CMClockGetHostTimeClock())
///     session.addInputWithNoConnections(input)
///     session.addConnection(AVCaptureConnection(inputPorts: input.ports, output: movieOutput))
///     …
///     let now = CMTimeRange(start: CMClockGetTime(CMClockGetHostTimeClock()), duration: .invalid)
///     try input.append(AVTimedMetadataGroup(items: [place], timeRange: now))
open class AVCaptureMetadataInput: AVCaptureInput, @unchecked Sendable {
    private let keys: [MetadataKey]
    let clock: CMClock
    private let last = Mutex(CMTime.invalid)

    /// Makes an input of the items that a format names; `clock` is that of their times. Raises for a format without items.
    public init(formatDescription desc: CMMetadataFormatDescription, clock: CMClock) {
        keys = desc.metadataKeys
        self.clock = clock
        super.init(environment: .current)
        setPorts([Port(input: self, mediaType: .metadata, device: nil, metadataFormat: desc)])
        guard keys.isEmpty else { return }
        environment.raise(
            .invalidArgument, "-[AVCaptureMetadataInput initWithFormatDescription:clock:]", "The format description names no metadata items")
    }

    /// Hands a group to the recordings under way, where it holds for its time range, or until the next where that has no length; one without items ends
    /// what held. Without effect while nothing is recorded. Throws for an item that the format does not name or whose value is not of its type, and for a
    /// time that is not later than that of the last group.
    open func append(_ metadata: AVTimedMetadataGroup) throws {
        var sample: MovieSample
        do throws(UnfitMetadata) {
            sample = try metadata.sample(of: keys)
        } catch {
            throw AVError(.invalidSourceMedia, reason: error.reason)
        }
        let isLater = last.withLock { last in
            guard !last.isValid || sample.time > last else { return false }
            last = sample.time
            return true
        }
        guard isLater else { throw AVError(.invalidSourceMedia, reason: "The group is not later than the last one") }
        guard let session, let sessionClock = session.synchronizationClock else { return }
        sample.time = clock.convertTime(sample.time, to: sessionClock)
        for connection in session.connections where connection.isOpen {
            for port in connection.inputPorts where port.input === self {
                (connection.output as? AVCaptureFileOutput)?.deliver(sample, from: port)
            }
        }
    }
}
