import CameraProfiles

/// Inputs that the caller gives beside a scenario file or in place of its own.
public struct ReadingOptions: Sendable {
    /// Footage given elsewhere (`--left L --right R`); the file then names none and may be taps only. Nil is the file's own.
    public var source: ClipSource?
    /// Phone that films in place of the file's (`--phone`); nil is the file's own.
    public var phone: CameraProfile.Phone?
    /// Folders, or single files, that it may name besides those in its own folder (`--allow`).
    public var folders: [String]

    /// Events given elsewhere (`--focus '3s: {on: maya}'`), which join those of the file's timeline.
    public var orders: [TimelineOrder] = []
    /// Counting of footage, asked for where a time is a frame or a timecode; nil where no footage can be looked at.
    public var timing: (@Sendable (ClipSource) throws -> FootageTiming)?

    /// Advice in the error about a file of many scenarios where one is wanted.
    public var matrixAdvice = "run it with `rackfocus test`"

    /// Event of the timeline in an option's words.
    public struct TimelineOrder: Sendable, Equatable {
        /// Name of the option, for messages.
        public var option: String
        /// Verb of the event.
        public var verb: String
        /// `TIME: VALUE`, as in a scenario's timeline.
        public var text: String

        /// Creates an event.
        public init(option: String, verb: String, text: String) {
            (self.option, self.verb, self.text) = (option, verb, text)
        }
    }

    /// Creates options; by default the file alone decides.
    public init(source: ClipSource? = nil, phone: CameraProfile.Phone? = nil, folders: [String] = []) {
        self.source = source
        self.phone = phone
        self.folders = folders
    }
}
