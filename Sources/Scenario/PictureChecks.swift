import AVFoundation
import Foundation

/// Looks at the pictures of single frames, once the logic of a run is over: this module renders nothing itself.
public protocol PictureChecks: Sendable {
    /// `records` by the times of `ScenarioFile.pictureTimes`; a time after the last frame has none.
    func look(at records: [Int64: FrameRecord]) throws -> PictureReport
}

/// What came of looking at pictures.
public struct PictureReport: Sendable {
    /// Pictures that are not as they must be.
    public var failures: [RunFailure] = []
    /// Goldens that are not there, where none may be written.
    public var missing: [RunFailure] = []
    public var notes: [String] = []
    /// For the run directory.
    public var files: [(name: String, data: Data)] = []

    public init() {}
}

extension ScenarioFile {
    /// The times whose pictures are to be looked at, ascending: of each the first frame at or after it; `Int64.max` is the last frame.
    public var pictureTimes: [Int64] {
        let blurs = blurChecks.map(\.time)
        return Set((goldenFrames?.times ?? []) + blurs).sorted()
    }

    /// What the timeline expects of blur, in order.
    public var blurChecks: [BlurCheck] {
        timeline.flatMap { event -> [BlurCheck] in
            guard case .expect(let expectation) = event.action else { return [] }
            return expectation.blurs.map { BlurCheck(time: event.time, location: event.location, blur: $0) }
        }
    }

    /// How a run without pixels tells what it left out; nil when there is nothing.
    var picturesLeftOut: String? {
        let (frames, blurs) = (goldenFrames?.times.count ?? 0, blurChecks.count)
        guard frames + blurs > 0 else { return nil }
        let parts = [frames > 0 ? "\(frames) golden frame\(frames == 1 ? "" : "s")" : nil, blurs > 0 ? "\(blurs) × blur" : nil]
        return "not looked at without --render: \(parts.compactMap { $0 }.joined(separator: ", "))"
    }
}

/// One expected blur and when.
public struct BlurCheck: Sendable, Equatable {
    /// Nanoseconds; `Int64.max` is the end.
    public var time: Int64
    public var location: FileLocation
    public var blur: Expectation.Blur
}

extension Expectation {
    /// How far a part of the picture is blurred, as the diameter of the disc that a point becomes.
    public struct Blur: Sendable, Equatable {
        public enum Region: Sendable, Equatable {
            /// What is behind every subject.
            case background
            case subject(String)
        }

        public var region: Region
        /// Whether the diameter must be more, or less, than `pixels`.
        public var isMore: Bool
        /// Of the clip's picture.
        public var pixels: Double

        public func holds(_ diameter: Double) -> Bool { isMore ? diameter > pixels : diameter < pixels }

        public var name: String {
            switch region {
            case .background: "background"
            case .subject(let name): name
            }
        }

        /// `background > 6px`.
        public var summary: String { "\(name) \(isMore ? ">" : "<") \(Node.plain(pixels))px" }
    }
}
