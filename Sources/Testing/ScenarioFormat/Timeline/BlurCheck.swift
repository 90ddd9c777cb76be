import Foundation
import Support

extension ScenarioFile {
    /// The times whose pictures are to be looked at, ascending: of each the first frame at or after it; `Int64.max` is the last frame.
    public var pictureTimes: [Int64] {
        let blurs = blurChecks.map(\.time)
        return Set((goldenFrames?.times ?? []) + blurs).sorted()
    }

    /// Expectations of blur in the timeline, in order.
    public var blurChecks: [BlurCheck] {
        timeline.flatMap { event -> [BlurCheck] in
            guard let verb = event.verb as? any CheckVerb else { return [] }
            return verb.expectation.blurs.map { BlurCheck(time: event.time, location: event.location, blur: $0) }
        }
    }

    /// Note of a run without pixels on the checks it left out; nil when there are none.
    package var uncheckedPictures: String? {
        let (frames, blurs) = (goldenFrames?.times.count ?? 0, blurChecks.count)
        guard frames + blurs > 0 else { return nil }
        let parts = [frames > 0 ? frames.counted("golden frame") : nil, blurs > 0 ? "\(blurs) × blur" : nil]
        return "not looked at without --render: \(parts.compactMap { $0 }.joined(separator: ", "))"
    }
}

/// Expected blur at one time.
public struct BlurCheck: Sendable, Equatable {
    /// Nanoseconds; `Int64.max` is the end.
    public var time: Int64
    /// Place in the scenario file, for messages.
    public var location: FileLocation
    /// Expected blur.
    public var blur: Expectation.Blur
}

extension Expectation {
    /// Blur of a region, as the diameter of the circle of confusion.
    public struct Blur: Sendable, Equatable {
        /// Region of the picture.
        public enum Region: Sendable, Equatable {
            /// Everything behind all subjects.
            case background
            case subject(String)
        }

        /// Region of the picture.
        public var region: Region
        /// Whether the diameter must be more, or less, than `pixels`.
        public var isMore: Bool
        /// Bound of the diameter, pixels of the clip's picture.
        public var pixels: Double

        /// Whether a diameter (pixels) meets the expectation.
        public func holds(_ diameter: Double) -> Bool { isMore ? diameter > pixels : diameter < pixels }

        /// Name of the region: `background`, or the subject's.
        public var name: String {
            switch region {
            case .background: "background"
            case .subject(let name): name
            }
        }

        /// `background > 6px`.
        public var summary: String { "\(name) \(isMore ? ">" : "<") \(String(plain: pixels))px" }
    }
}
